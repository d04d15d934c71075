/** What the processors do: computing time of processes and of the threads of virtual machines, and who may run where. */
@NullMarked
package io.github.cassandralock.benchmarks.processor;

import org.jspecify.annotations.NullMarked;

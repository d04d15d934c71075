/** What runs under the locks, and what it notes. */
@NullMarked
package io.github.cassandralock.faults.workload;

import org.jspecify.annotations.NullMarked;

/** Queues over registers, and their cleaning without a clock. */
@NullMarked
package io.github.cassandralock.exactlyonce.queue;

import org.jspecify.annotations.NullMarked;

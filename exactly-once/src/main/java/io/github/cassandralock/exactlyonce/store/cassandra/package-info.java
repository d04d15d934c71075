/** Registers in a table of Apache Cassandra, changed by lightweight transactions only. */
@NullMarked
package io.github.cassandralock.exactlyonce.store.cassandra;

import org.jspecify.annotations.NullMarked;

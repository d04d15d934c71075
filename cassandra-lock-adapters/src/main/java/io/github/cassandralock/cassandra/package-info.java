/** The settings of locks on Cassandra: algorithm, consistency levels, tables, notices. */
@NullMarked
package io.github.cassandralock.cassandra;

import org.jspecify.annotations.NullMarked;

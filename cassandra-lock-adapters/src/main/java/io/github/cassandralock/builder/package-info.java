/** Lockers without Spring: a builder makes one from a session to Cassandra and settings. */
@NullMarked
package io.github.cassandralock.builder;

import org.jspecify.annotations.NullMarked;

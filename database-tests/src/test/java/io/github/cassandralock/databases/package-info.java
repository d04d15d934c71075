/** Exactly once in applications with a database. */
@NullMarked
package io.github.cassandralock.databases;

import org.jspecify.annotations.NullMarked;

/** Registers in a table of a relational database: PostgreSQL, or H2 for first trials. */
@NullMarked
package io.github.cassandralock.exactlyonce.store.jdbc;

import org.jspecify.annotations.NullMarked;

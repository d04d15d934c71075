/** Messages in a table of PostgreSQL, or of H2. */
@NullMarked
package io.github.cassandralock.exactlyonce.table.jdbc;

import org.jspecify.annotations.NullMarked;

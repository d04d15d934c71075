/** The values of the properties for consistency levels and for the creation of tables. */
@NullMarked
package io.github.cassandralock.cassandra;

import org.jspecify.annotations.NullMarked;

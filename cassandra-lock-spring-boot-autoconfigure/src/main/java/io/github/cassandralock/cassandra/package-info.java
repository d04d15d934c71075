/** The values of the properties that choose consistency levels, and what is done with the tables at the start. */
@NullMarked
package io.github.cassandralock.cassandra;

import org.jspecify.annotations.NullMarked;

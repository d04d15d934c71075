/** Applications with the starter, and what they send to Cassandra. */
@NullMarked
package io.github.cassandralock.testing.applications;

import org.jspecify.annotations.NullMarked;

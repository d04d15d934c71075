/** Whose quorum answers requests to Cassandra, and whether an answer comes from the requested quorum. */
@NullMarked
package io.github.cassandralock.internal.quorum;

import org.jspecify.annotations.NullMarked;

/** Whose quorum answers requests to Cassandra, and whether an answer is that of the requested one. */
@NullMarked
package io.github.cassandralock.internal.quorum;

import org.jspecify.annotations.NullMarked;

/** The algorithm majority: a session for each cluster, connected in the background. */
@NullMarked
package io.github.cassandralock.autoconfigure.majority;

import org.jspecify.annotations.NullMarked;

/**
 * Starting without a store: things that are created in the background and tried again, why they are not there yet, a session to
 * Cassandra that is opened so, its contact points, and what an operator is told.
 */
@NullMarked
package io.github.cassandralock.internal.startup;

import org.jspecify.annotations.NullMarked;

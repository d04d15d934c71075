/**
 * Starting without a store: what is created in the background and tried again, the reasons why it is not there yet, a session to
 * Cassandra that is opened so, and contact points.
 */
@NullMarked
package io.github.cassandralock.internal.startup;

import org.jspecify.annotations.NullMarked;

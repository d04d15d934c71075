/**
 * A world in which algorithms run unchanged while time, the network and the replicas are simulated: one thread, one
 * seed, everything repeatable.
 */
@NullMarked
package io.github.cassandralock.internal.simulation;

import org.jspecify.annotations.NullMarked;

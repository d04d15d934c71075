/**
 * Starting without Cassandra: a session, an algorithm and a store of registers that are created in the background, the reasons why
 * they are not there yet, and contact points.
 */
@NullMarked
package io.github.cassandralock.internal.startup;

import org.jspecify.annotations.NullMarked;

/**
 * What an application finds in real life, and the sample has to bring: a Cassandra node, a database, and two sources of
 * numbers. They are one process beside the copies, so that any copy can be killed.
 */
@NullMarked
package io.github.cassandralock.sample.window.surroundings;

import org.jspecify.annotations.NullMarked;

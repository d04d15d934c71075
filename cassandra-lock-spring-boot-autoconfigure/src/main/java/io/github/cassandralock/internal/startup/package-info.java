/**
 * Starting without Cassandra: a session and an algorithm that come into being in the background, and that say until then why
 * they are not there.
 */
@NullMarked
package io.github.cassandralock.internal.startup;

import org.jspecify.annotations.NullMarked;

/**
 * Starting without a store. Objects are created in the background, and tries are repeated. A session to Cassandra is opened in
 * this way. The log and the health show why an object is not there yet.
 */
@NullMarked
package io.github.cassandralock.internal.startup;

import org.jspecify.annotations.NullMarked;

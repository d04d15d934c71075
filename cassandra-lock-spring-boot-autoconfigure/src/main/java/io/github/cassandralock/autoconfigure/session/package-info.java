/** The session to Cassandra that locks use, and the ports on it. */
@NullMarked
package io.github.cassandralock.autoconfigure.session;

import org.jspecify.annotations.NullMarked;

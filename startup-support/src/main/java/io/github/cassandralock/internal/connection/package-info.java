/** The session that Spring Boot configures: how it is chosen, how it connects, and to which cluster. */
@NullMarked
package io.github.cassandralock.internal.connection;

import org.jspecify.annotations.NullMarked;

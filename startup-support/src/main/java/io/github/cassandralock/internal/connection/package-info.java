/** The session that Spring Boot configures: which one is chosen, how it connects, and to which cluster. */
@NullMarked
package io.github.cassandralock.internal.connection;

import org.jspecify.annotations.NullMarked;

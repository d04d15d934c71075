/**
 * Puts everything together in a Spring Boot application. Uses every other package; none uses it.
 */
@NullMarked
package io.github.cassandralock.autoconfigure;

import org.jspecify.annotations.NullMarked;

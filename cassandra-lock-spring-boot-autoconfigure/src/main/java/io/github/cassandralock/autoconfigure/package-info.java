/**
 * The auto-configuration for Spring Boot, its properties and failure analyzers. Uses every other package; none uses it.
 */
@NullMarked
package io.github.cassandralock.autoconfigure;

import org.jspecify.annotations.NullMarked;

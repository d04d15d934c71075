/**
 * The auto-configurations for Spring Boot, and the properties of the locks. The packages below have one concern each, and use these
 * properties.
 */
@NullMarked
package io.github.cassandralock.autoconfigure;

import org.jspecify.annotations.NullMarked;

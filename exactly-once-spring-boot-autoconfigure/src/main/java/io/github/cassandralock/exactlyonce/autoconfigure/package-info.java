/**
 * Auto-configuration of exactly-once handlers, sinks and pumps. Applications use the auto-configurations and the properties alone.
 */
@NullMarked
package io.github.cassandralock.exactlyonce.autoconfigure;

import org.jspecify.annotations.NullMarked;

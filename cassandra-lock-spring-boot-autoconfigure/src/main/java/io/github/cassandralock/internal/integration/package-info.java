/**
 * The locks as a lock registry of Spring Integration.
 */
@NullMarked
package io.github.cassandralock.internal.integration;

import org.jspecify.annotations.NullMarked;

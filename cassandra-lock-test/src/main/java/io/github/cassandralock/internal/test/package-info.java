/**
 * The stores in memory, and how Spring's test contexts are adapted.
 */
@NullMarked
package io.github.cassandralock.internal.test;

import org.jspecify.annotations.NullMarked;

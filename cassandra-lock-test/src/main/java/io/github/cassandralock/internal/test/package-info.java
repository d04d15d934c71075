/** The stores in memory, the time that a test moves, and the adaptation of Spring's test contexts. */
@NullMarked
package io.github.cassandralock.internal.test;

import org.jspecify.annotations.NullMarked;

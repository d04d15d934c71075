/** The stores in memory, and the adaptation of Spring's test contexts. */
@NullMarked
package io.github.cassandralock.internal.test;

import org.jspecify.annotations.NullMarked;

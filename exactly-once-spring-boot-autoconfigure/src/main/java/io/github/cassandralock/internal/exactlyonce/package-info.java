/**
 * Runs the copies of handlers, sinks and pumps for as long as the application runs, and knows for operators how they
 * are.
 */
@NullMarked
package io.github.cassandralock.internal.exactlyonce;

import org.jspecify.annotations.NullMarked;

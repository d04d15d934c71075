/** Runs the copies of handlers, sinks and pumps while the application runs, and reports their state to operators. */
@NullMarked
package io.github.cassandralock.internal.exactlyonce;

import org.jspecify.annotations.NullMarked;

/**
 * How algorithms run without threads: steps that run one after the other, tasks that run one at a time, and deadlines.
 */
@NullMarked
package io.github.cassandralock.internal.steps;

import org.jspecify.annotations.NullMarked;

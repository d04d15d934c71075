/**
 * How algorithms run without threads of their own: steps that follow one another, and tasks that exclude one another.
 */
@NullMarked
package io.github.cassandralock.internal.steps;

import org.jspecify.annotations.NullMarked;

/**
 * The time service of the thesis (section 5.4): a time that never decreases, stored in one cell.
 */
@NullMarked
package io.github.cassandralock.internal.thesis.time;

import org.jspecify.annotations.NullMarked;

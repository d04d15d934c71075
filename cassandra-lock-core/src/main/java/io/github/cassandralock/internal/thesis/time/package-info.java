/**
 * The thesis's time service (section 5.4): time that never decreases, kept in one cell.
 */
@NullMarked
package io.github.cassandralock.internal.thesis.time;

import org.jspecify.annotations.NullMarked;

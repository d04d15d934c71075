/** The algorithm {@code shadow}: the old one, over which the thesis sets out to improve (thesis, section 4). */
@NullMarked
package io.github.cassandralock.internal.thesis.shadow;

import org.jspecify.annotations.NullMarked;

/** The algorithm {@code shadow}: the older algorithm that the thesis improves on (thesis, section 4). */
@NullMarked
package io.github.cassandralock.internal.thesis.shadow;

import org.jspecify.annotations.NullMarked;

/** Rules that keep the classes of each published module apart, and the figures that they limit. */
@NullMarked
package io.github.cassandralock.internal.structure;

import org.jspecify.annotations.NullMarked;

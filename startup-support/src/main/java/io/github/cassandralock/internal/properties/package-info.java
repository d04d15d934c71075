/** How properties are read: switches in every spelling, durations with units, names of CQL. */
@NullMarked
package io.github.cassandralock.internal.properties;

import org.jspecify.annotations.NullMarked;

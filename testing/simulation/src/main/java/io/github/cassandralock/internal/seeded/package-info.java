/** What seeded simulations share: seeds, and faults that are planted into the sources. */
@NullMarked
package io.github.cassandralock.internal.seeded;

import org.jspecify.annotations.NullMarked;

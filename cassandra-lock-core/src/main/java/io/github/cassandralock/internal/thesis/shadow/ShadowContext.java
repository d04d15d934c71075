package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.spi.WallClock;

/** The objects that all attempts of the algorithm {@code shadow} share. */
record ShadowContext(CellStore shadowRow, WallClock wallClock, CellContext cells) {}

package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.spi.WallClock;

/** What all attempts share. */
record ShadowContext(CellStore shadowRow, WallClock wallClock, CellContext cells) {}

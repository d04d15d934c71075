package io.github.cassandralock.internal.thesis.queue;

import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.time.GlobalTime;

/** The objects that all attempts of the algorithm {@code queue} share. */
record QueueContext(QueueRow queue, GlobalTime time, PollBounds poll, CellContext cells) {}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.store.Slot;
import java.time.Duration;

/**
 * One change of this process's slot, under the timestamp that it drew when it was decided. It may be sent several times
 * until it is acknowledged: a later change has a higher timestamp and wins, in whatever order they arrive.
 *
 * @param timestamp orders the writes of this slot
 * @param drawnAt when the timestamp was drawn, on the monotonic clock, in nanoseconds
 * @param life the row's time to live
 */
record SlotWrite(Slot row, long timestamp, long drawnAt, Duration life) {}

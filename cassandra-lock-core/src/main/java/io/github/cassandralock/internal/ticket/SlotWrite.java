package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.store.Slot;
import java.time.Duration;

/**
 * One change of this process's slot. It draws its timestamp when it is decided, and may be sent several times until it is
 * acknowledged. A later change has a higher timestamp, so it wins in whatever order the two arrive.
 *
 * @param timestamp orders the writes of this slot
 * @param drawnAt when the timestamp was drawn, on the monotonic clock, in nanoseconds
 * @param life the row's time to live
 */
record SlotWrite(Slot row, long timestamp, long drawnAt, Duration life) {}

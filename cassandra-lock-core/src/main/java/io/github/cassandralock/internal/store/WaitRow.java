package io.github.cassandralock.internal.store;

import java.time.Duration;

/**
 * A published wait. Always written as a whole.
 *
 * @param seq rises by one with each write, which is sent when the one before was acknowledged; a write that was not acknowledged is
 *     sent again with the same value
 * @param changed the timestamp of the first write that says that the call waits as it does: another one for each change
 * @param interval how often the owner raises {@code seq}
 */
public record WaitRow(WaitId id, long seq, long changed, Duration interval, WaitingCall call) {

    /** Whether the wait is the same, and was so in between. */
    public boolean isUnchangedSince(WaitRow earlier) {
        return id.equals(earlier.id) && changed == earlier.changed;
    }
}

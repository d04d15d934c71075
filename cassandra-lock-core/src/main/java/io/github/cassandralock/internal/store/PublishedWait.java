package io.github.cassandralock.internal.store;

/**
 * A call that waits, as its process publishes it.
 *
 * @param changed another value for each change of what the call says: of two publications with the same value, the call has said the
 *     same in between
 */
public record PublishedWait(WaitId id, long changed, WaitingCall call) {

    /** Whether the call waits as it did, and has done so in between. */
    public boolean isUnchangedSince(PublishedWait earlier) {
        return id.equals(earlier.id) && changed == earlier.changed;
    }
}

package io.github.cassandralock.internal.store;

/**
 * A waiting call, as its process publishes it.
 *
 * @param changed differs after each change of the published call. Between two publications with one value, the call did not
 *     change
 */
public record PublishedWait(WaitId id, long changed, WaitingCall call) {

    /** Whether the call waits as in the earlier publication, without a change in between. */
    public boolean isUnchangedSince(PublishedWait earlier) {
        return id.equals(earlier.id) && changed == earlier.changed;
    }
}

package io.github.cassandralock.inspect;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A session, as an ordinary read shows it.
 *
 * @param id its id
 * @param owner its process
 * @param alive whether no process has declared it dead
 * @param renewals how often it was renewed
 * @param lease the lease of its owner
 * @param sinceRenewal how long ago it was renewed, to a second, by the servers' clocks; empty if unknown
 * @param noticesAddress where it receives notices; empty if it exchanges none
 * @param ofThisProcess whether it is this process's present session
 */
public record SessionInfo(
        UUID id,
        ProcessOwner owner,
        boolean alive,
        long renewals,
        Duration lease,
        Optional<Duration> sinceRenewal,
        Optional<String> noticesAddress,
        boolean ofThisProcess) {

    /** The precision of the time since the last renewal. */
    private static final Duration PRECISION = Duration.ofSeconds(1);

    /**
     * Returns whether it was not renewed for longer than its lease, although no process has declared it dead. It has crashed, is cut off,
     * or its insert was never confirmed. Never true of this process's present session. For people only, because the servers' clocks
     * may be wrong.
     *
     * @return whether it is overdue
     */
    public boolean isOverdue() {
        Duration longest = lease.plus(PRECISION);
        return alive
                && !ofThisProcess
                && sinceRenewal.filter(since -> since.compareTo(longest) > 0).isPresent();
    }

    /**
     * Returns its approximate age at its last renewal: it is renewed three times per lease.
     *
     * @return the number of its renewals times a third of its lease
     */
    public Duration age() {
        return lease.dividedBy(3).multipliedBy(renewals);
    }

    /**
     * Returns this session, marked as of this process or not.
     *
     * @param own whether it is this process's present session
     * @return the session
     */
    public SessionInfo ofThisProcess(boolean own) {
        return new SessionInfo(id, owner, alive, renewals, lease, sinceRenewal, noticesAddress, own);
    }
}

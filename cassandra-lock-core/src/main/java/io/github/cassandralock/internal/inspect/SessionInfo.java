package io.github.cassandralock.internal.inspect;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A session, as an ordinary read shows it.
 *
 * @param owner its process
 * @param alive whether no process has declared it dead
 * @param renewals how often it was renewed
 * @param lease the lease of its owner
 * @param sinceRenewal how long ago it was renewed, to a second, by the servers' clocks; empty if the store does not know
 * @param noticesAddress where it takes notices; empty if it exchanges none
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

    /** Of the time since the last renewal. */
    private static final Duration PRECISION = Duration.ofSeconds(1);

    /**
     * Whether nobody has renewed it for longer than its lease, although no process has declared it dead: it has crashed, it is cut
     * off, or its insert was never confirmed. Never true of this process's present session. The servers' clocks may be wrong, so
     * this is for people.
     */
    public boolean isOverdue() {
        Duration longest = lease.plus(PRECISION);
        return alive
                && !ofThisProcess
                && sinceRenewal.filter(since -> since.compareTo(longest) > 0).isPresent();
    }

    /** About how old it was at its last renewal: it is renewed three times per lease. */
    public Duration age() {
        return lease.dividedBy(3).multipliedBy(renewals);
    }

    /** This session, marked as of this process or not. */
    public SessionInfo ofThisProcess(boolean own) {
        return new SessionInfo(id, owner, alive, renewals, lease, sinceRenewal, noticesAddress, own);
    }
}

package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.Requester;
import io.github.cassandralock.internal.inspect.ForceReleaseOutcome;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/** The endpoint {@code cassandralocks}, with an operation that force-releases a lock. */
@WebEndpoint(id = "cassandralocks")
public final class ForceReleasingLocksEndpoint extends CassandraLocksEndpoint {

    private static final int ACCEPTED = 202;

    private final Map<String, ForceReleaser> releasers;
    private final ProcessOwner thisProcess;

    /**
     * @param releasers of the lockers whose locks can be force-released, by their names
     * @param thisProcess is named in the reason that a holder reads
     */
    public ForceReleasingLocksEndpoint(
            Map<String, LockReports> reports, Map<String, ForceReleaser> releasers, ProcessOwner thisProcess) {
        super(reports);
        this.releasers = releasers;
        this.thisProcess = thisProcess;
    }

    @Override
    boolean forceReleases(String locker) {
        return releasers.containsKey(locker);
    }

    /**
     * Force-releases a lock whose id is given as a parameter.
     *
     * @param locker whose lock it is; may be missing if the application has one locker
     * @param session whose holders lose the lock; if it is missing, all holders do
     */
    @DeleteOperation
    public WebEndpointResponse<Object> forceRelease(
            SecurityContext security, String lockId, @Nullable String session, @Nullable String locker) {
        return Answers.to(() -> {
            LockRequest.of(lockId);
            String name = chosen(lockId, locker);
            ForceReleaser releaser = releaser(lockId, name);
            Optional<UUID> onlyOf = Optional.ofNullable(session).map(id -> sessionId(lockId, id));
            return response(
                    name,
                    lockId,
                    onlyOf,
                    Answers.await(
                            releaser.forceRelease(lockId, onlyOf, by(security, name)),
                            ofLocker(name) + "Lock '" + lockId
                                    + "' could not be force-released, or the outcome is unknown"));
        });
    }

    /** Each locker may have a lock with this id. A request without a locker could release the wrong lock. */
    private String chosen(String lockId, @Nullable String locker) {
        if (locker == null && severalLockers()) {
            throw new IllegalArgumentException("Lock '" + lockId
                    + "' was not force-released: the application has several lockers, and the request names none. Add the"
                    + " parameter 'locker' with one of " + quoted());
        }
        return named(locker);
    }

    private ForceReleaser releaser(String lockId, String locker) {
        ForceReleaser releaser = releasers.get(locker);
        if (releaser == null) {
            throw new IllegalArgumentException("Lock '" + lockId
                    + "' was not force-released: force-release is off for locker '"
                    + locker + "'. To switch it on, set '"
                    + (locker.equals(lockers().get(0)) ? "cassandra-lock." : "cassandra-lock.lockers." + locker + ".")
                    + "force-release.enabled: true' in all processes that share its locks");
        }
        return releaser;
    }

    private boolean severalLockers() {
        return lockers().size() > 1;
    }

    /** The beginning of an answer; empty if the application has one locker. */
    private String ofLocker(String locker) {
        return severalLockers() ? "Locker '" + locker + "': " : "";
    }

    private static UUID sessionId(String lockId, String session) {
        try {
            return UUID.fromString(session);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Lock '" + lockId + "' was not force-released: '" + session
                            + "' is not the id of a session. Take it from the field 'session' of a holder, or leave it out to"
                            + " force-release the lock for all holders",
                    e);
        }
    }

    /** Force-releases a lock whose id is the rest of the path. */
    @DeleteOperation
    public WebEndpointResponse<Object> forceReleasePath(
            SecurityContext security,
            @Nullable String session,
            @Nullable String locker,
            @Selector(match = Selector.Match.ALL_REMAINING) String... lockId) {
        return forceRelease(security, id(lockId), session, locker);
    }

    private String by(SecurityContext security, String locker) {
        String requester = Requester.of(security)
                .map(name -> name + " at " + thisProcess.text())
                .orElse(thisProcess.text());
        return severalLockers() ? requester + " (locker '" + locker + "')" : requester;
    }

    private WebEndpointResponse<Object> response(
            String locker, String lockId, Optional<UUID> onlyOf, ForceReleaseOutcome outcome) {
        if (outcome instanceof ForceReleaseOutcome.Begun begun) {
            return Answers.message(
                    begun.asked().isEmpty() ? WebEndpointResponse.STATUS_OK : ACCEPTED,
                    ofLocker(locker) + ForceReleaseMessage.of(lockId, begun));
        }
        String nobody =
                onlyOf.map(session -> "Session " + session + " does not hold").orElse("Nobody holds");
        return Answers.message(
                WebEndpointResponse.STATUS_NOT_FOUND,
                ofLocker(locker) + nobody + " lock '" + lockId + "'; there is nothing to release.");
    }
}

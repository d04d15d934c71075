package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.inspect.BreakOutcome;
import io.github.cassandralock.internal.inspect.LockBreaker;
import java.security.Principal;
import java.util.Optional;
import java.util.UUID;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/** The endpoint {@code cassandralocks}, with an operation that breaks a lock by force. */
@WebEndpoint(id = "cassandralocks")
public final class BreakingLocksEndpoint extends CassandraLocksEndpoint {

    private static final int ACCEPTED = 202;

    private final LockBreaker breaker;
    private final ProcessOwner thisProcess;

    /** @param thisProcess is named in the reason that a holder reads */
    public BreakingLocksEndpoint(LockReports reports, LockBreaker breaker, ProcessOwner thisProcess) {
        super(reports);
        this.breaker = breaker;
        this.thisProcess = thisProcess;
    }

    @Override
    boolean breaks() {
        return true;
    }

    /**
     * Breaks a lock whose id is given as a parameter.
     *
     * @param session whose holders lose the lock; if it is missing, all holders do
     */
    @DeleteOperation
    public WebEndpointResponse<Object> breakLock(SecurityContext security, String lockId, @Nullable String session) {
        return Answers.to(() -> {
            LockRequest.of(lockId);
            Optional<UUID> onlyOf = Optional.ofNullable(session).map(id -> sessionId(lockId, id));
            return response(
                    lockId,
                    onlyOf,
                    Answers.await(
                            breaker.breakLock(lockId, onlyOf, by(security)),
                            "Lock '" + lockId + "' could not be broken, or it is not known whether it was"));
        });
    }

    private static UUID sessionId(String lockId, String session) {
        try {
            return UUID.fromString(session);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Lock '" + lockId + "' was not broken: '" + session
                            + "' is not the id of a session. Take it from the field 'session' of a holder, or leave it out to"
                            + " break the lock for all holders",
                    e);
        }
    }

    /** Breaks a lock whose id is the rest of the path. */
    @DeleteOperation
    public WebEndpointResponse<Object> breakLockOfPath(
            SecurityContext security,
            @Nullable String session,
            @Selector(match = Selector.Match.ALL_REMAINING) String... lockId) {
        return breakLock(security, id(lockId), session);
    }

    private String by(SecurityContext security) {
        return Optional.ofNullable(security.getPrincipal())
                .map(Principal::getName)
                .map(name -> name + " at " + thisProcess.text())
                .orElse(thisProcess.text());
    }

    private static WebEndpointResponse<Object> response(String lockId, Optional<UUID> onlyOf, BreakOutcome outcome) {
        if (outcome instanceof BreakOutcome.Begun begun) {
            return Answers.message(
                    begun.asked().isEmpty() ? WebEndpointResponse.STATUS_OK : ACCEPTED, BreakMessage.of(lockId, begun));
        }
        String nobody =
                onlyOf.map(session -> "Session " + session + " does not hold").orElse("Nobody holds");
        return Answers.message(
                WebEndpointResponse.STATUS_NOT_FOUND, nobody + " lock '" + lockId + "'; there is nothing to break.");
    }
}

package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.internal.inspect.BreakOutcome;
import io.github.cassandralock.internal.inspect.LockBreaker;
import io.github.cassandralock.internal.inspect.ProcessOwner;
import java.security.Principal;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** The endpoint {@code cassandralocks}, with an operation that breaks a lock by force. */
@WebEndpoint(id = "cassandralocks")
public final class BreakingLocksEndpoint extends CassandraLocksEndpoint {

    private static final int ACCEPTED = 202;

    private static final String UNTIL_THEN =
            " Until it has, and for as long as its work does not stop, two may work under this lock: the protected resource has to"
                    + " check fencing tokens, of which the next holder gets a higher one.";

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

    /** Breaks a lock whose id is given as a parameter. */
    @DeleteOperation
    public WebEndpointResponse<Object> breakLock(SecurityContext security, String lockId) {
        try {
            return response(
                    lockId,
                    Answers.await(
                            breaker.breakLock(lockId, by(security)),
                            "Lock '" + lockId + "' could not be broken, or it is not known whether it was"));
        } catch (UnansweredException e) {
            return message(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    /** Breaks a lock whose id is the rest of the path. */
    @DeleteOperation
    public WebEndpointResponse<Object> breakLockOfPath(
            SecurityContext security, @Selector(match = Selector.Match.ALL_REMAINING) String... lockId) {
        return breakLock(security, id(lockId));
    }

    private String by(SecurityContext security) {
        return Optional.ofNullable(security.getPrincipal())
                .map(Principal::getName)
                .map(name -> name + " at " + thisProcess.text())
                .orElse(thisProcess.text());
    }

    private static WebEndpointResponse<Object> response(String lockId, BreakOutcome outcome) {
        if (outcome instanceof BreakOutcome.Broken broken) {
            return message(
                    WebEndpointResponse.STATUS_OK,
                    "Lock '" + lockId + "' is broken: its holder, a thread of this process ("
                            + broken.holder().owner().text()
                            + "), is told that it has lost the lock, and the next one in the queue gets it. If the holder's work"
                            + " does not stop, two may work under this lock: the protected resource has to check fencing tokens,"
                            + " of which the next holder gets a higher one.");
        }
        if (outcome instanceof BreakOutcome.Requested requested) {
            return message(
                    ACCEPTED,
                    "The process of the holder of lock '" + lockId + "', "
                            + requested.holder().owner().text() + ", was asked to give it up, and looks within "
                            + seconds(requested) + " s." + UNTIL_THEN
                            + " If it still has the lock after that, it has not switched on 'cassandra-lock.breaking.enabled', is"
                            + " paused, cannot reach Cassandra, or has ended. If it runs, end it: a call that waits then gets"
                            + " the lock after one and a half leases at most.");
        }
        return message(
                WebEndpointResponse.STATUS_NOT_FOUND, "Nobody holds lock '" + lockId + "'; there is nothing to break.");
    }

    private static long seconds(BreakOutcome.Requested requested) {
        return Math.max(1, (requested.within().toMillis() + 999) / 1_000);
    }

    private static WebEndpointResponse<Object> message(int status, String text) {
        return new WebEndpointResponse<>(new MessageBody(text), status);
    }
}

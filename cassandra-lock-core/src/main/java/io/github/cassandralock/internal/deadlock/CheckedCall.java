package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.concurrent.CompletionStage;

/** A call for a lock that may be part of a deadlock, because it has an owner. No method blocks. Thread-safe. */
public interface CheckedCall {

    /**
     * The state of its wait at one instant.
     *
     * @param session the session with whose slot it waits
     */
    record Standing(OwnSession session, WaitingCall call) {}

    /** When it began to wait, as a value of the ticker in nanoseconds. */
    long beganAt();

    /** Completes when it waits no longer. */
    CompletionStage<?> ended();

    /** Whether its owner holds a lock. If not, no call waits for the owner. */
    boolean isOfHolder();

    /** The queue in which it waits with other calls for its lock. Equal for all calls of one queue. */
    CheckedQueue queue();

    /** The key of its state in the answers of the queue. */
    Object request();

    /** Ends the call with this exception if it still waits exactly as given. Completes with whether it was ended. */
    CompletionStage<Boolean> fail(Standing known, LockDeadlockException deadlock);
}

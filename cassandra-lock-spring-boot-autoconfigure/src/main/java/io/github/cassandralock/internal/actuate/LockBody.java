package io.github.cassandralock.internal.actuate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Who holds one lock, and who waits for it.
 *
 * @param at when it was read, by this machine's clock
 * @param prefix of all ids of the application in the tables; null for none
 * @param holders several if their modes allow it, none if the lock is free; at most the first thousand
 * @param holderCount the number of all holders
 * @param queue those who wait for it, in the order in which they get it; at most the first hundred
 * @param queueLength the number of all who wait
 * @param lastToken the highest fencing token that a holder so far may have shown; null if none was requested
 * @param sessions of the holders and of those in the queue
 * @param heldHere by callers in this process, including callers with a lost lock that is not released yet; the first thousand
 * @param heldHereCount the number of all these callers
 * @param waitingHere calls in this process; at most the first thousand
 * @param waitingHereCount the number of all these calls
 * @param underOther the same lock under the other algorithm of a migration
 */
record LockBody(
        String at,
        String lockId,
        @Nullable String prefix,
        String algorithm,
        List<QueueEntryBody> holders,
        int holderCount,
        List<QueueEntryBody> queue,
        int queueLength,
        @Nullable Long lastToken,
        List<SessionBody> sessions,
        List<LocalLockBody> heldHere,
        int heldHereCount,
        List<LocalLockBody> waitingHere,
        int waitingHereCount,
        @Nullable LockBody underOther)
        implements OperationResponseBody {}

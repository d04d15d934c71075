package io.github.cassandralock.internal.actuate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Who holds one lock, and who waits for it.
 *
 * @param at when it was read, by this machine's clock
 * @param holders those who have it: several if their modes allow it, none if nobody has it; not more than the first thousand
 * @param holderCount how many there are
 * @param queue those who wait for it, in the order in which they get it; not more than the first hundred
 * @param queueLength how many there are
 * @param lastToken the highest fencing token that a holder so far may have shown; null if none was asked for
 * @param sessions of the holders and of those in the queue
 * @param heldHere by callers in this process, those included who have lost it and not released it yet
 * @param waitingHere calls in this process
 * @param underOther the same lock under the other algorithm of a migration
 */
record LockBody(
        String at,
        String lockId,
        String algorithm,
        List<QueueEntryBody> holders,
        int holderCount,
        List<QueueEntryBody> queue,
        int queueLength,
        @Nullable Long lastToken,
        List<SessionBody> sessions,
        List<LocalLockBody> heldHere,
        List<LocalLockBody> waitingHere,
        @Nullable LockBody underOther)
        implements OperationResponseBody {}

package io.github.cassandralock.inspect;

import io.github.cassandralock.LockMode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * One slot of a process (algorithm {@code ticket}) or one thread (other algorithms) that holds or requests a lock.
 *
 * @param place what it does
 * @param mode in which it holds or requests the lock
 * @param owner its process
 * @param session its session; empty if the algorithm has none
 * @param threadId the acquisition; empty if the store has none, as threads of one process share a slot
 * @param attempt the number of its attempt; empty if the algorithm has none
 * @param ticket its ticket; empty if it has none
 * @param age the age of its row, to a second, by the servers' clocks; for the algorithm {@code queue}, its arrival by the time
 *        service. Empty if the store does not supply it. No decision depends on it
 * @param ofThisProcess whether it is this process
 * @param permits how many may hold the lock at once, as it has requested it; 1 for a lock without permits
 */
public record QueueEntry(
        Place place,
        LockMode mode,
        ProcessOwner owner,
        Optional<UUID> session,
        Optional<String> threadId,
        OptionalLong attempt,
        OptionalLong ticket,
        Optional<Duration> age,
        boolean ofThisProcess,
        int permits) {

    /**
     * Creates the entry of a slot or thread that has requested a lock without permits.
     *
     * @param place what it does
     * @param mode in which it holds or requests the lock
     * @param owner its process
     * @param session its session; empty if the algorithm has none
     * @param threadId the acquisition; empty if the store has none
     * @param attempt the number of its attempt; empty if the algorithm has none
     * @param ticket its ticket; empty if it has none
     * @param age how long ago it wrote its row or arrived; empty if the store does not supply it
     * @param ofThisProcess whether it is this process
     */
    public QueueEntry(
            Place place,
            LockMode mode,
            ProcessOwner owner,
            Optional<UUID> session,
            Optional<String> threadId,
            OptionalLong attempt,
            OptionalLong ticket,
            Optional<Duration> age,
            boolean ofThisProcess) {
        this(place, mode, owner, session, threadId, attempt, ticket, age, ofThisProcess, 1);
    }

    /**
     * Returns the entry of a thread, under an algorithm without sessions and tickets.
     *
     * @param place what it does
     * @param threadId the acquisition
     * @param age how long ago it arrived; empty if the store does not supply it
     * @param thisProcess the prefix of thread ids of this process
     * @return the entry
     */
    public static QueueEntry ofThread(Place place, String threadId, Optional<Duration> age, String thisProcess) {
        return new QueueEntry(
                place,
                LockMode.EXCLUSIVE,
                ProcessOwner.ofThreadId(threadId),
                Optional.empty(),
                Optional.of(threadId),
                OptionalLong.empty(),
                OptionalLong.empty(),
                age,
                threadId.startsWith(thisProcess));
    }

    /** What a process or thread does with a lock. */
    public enum Place {

        /** It has the lock. */
        HOLDER,

        /** It has a place in the queue. */
        WAITING,

        /** It has requested the lock, and its place in the queue is not decided yet. */
        ARRIVING,

        /** It waits under an algorithm without an order. */
        COMPETING
    }
}

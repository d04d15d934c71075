package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.UnansweredException;
import io.github.cassandralock.internal.inspect.LocalInspection;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.inspect.LockInspection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the answers of the endpoint, from the state of this process and of Cassandra. Thread-safe. Methods that read from Cassandra
 * block for {@link Answers#PATIENCE} at most.
 *
 * @param prefix of the stored ids; null for none
 * @param inspection reads from Cassandra; empty if the algorithm is the application's own
 */
public record LockReports(
        String algorithm,
        @Nullable String prefix,
        ProcessOwner thisProcess,
        LocalInspection local,
        Supplier<Optional<LockInspection>> inspection) {

    /**
     * Does no I/O, unless the sessions are requested.
     *
     * @param locker its name; null if the application has one locker
     * @param lockers the names of all lockers; null if the application has one
     */
    Bodies.Overview overview(
            boolean withSessions, boolean forceRelease, @Nullable String locker, @Nullable List<String> lockers) {
        Instant now = Instant.now();
        LocalLocks locks = local.localLocks(lockId -> true);
        return new Bodies.Overview(
                Bodies.text(now),
                algorithm,
                prefix,
                Bodies.Owner.of(thisProcess),
                ownSession().map(UUID::toString).orElse(null),
                forceRelease,
                Bodies.Acquisition.of(locks.held(), now),
                locks.heldCount(),
                Bodies.Acquisition.of(locks.waiting(), now),
                locks.waitingCount(),
                locks.figures(),
                withSessions ? Bodies.Session.of(sessions()) : null,
                locker,
                lockers);
    }

    /** Empty while Cassandra cannot be used: what this process holds is shown nevertheless. */
    private Optional<UUID> ownSession() {
        try {
            return openedInspection().flatMap(LockInspection::ownSession);
        } catch (UnansweredException e) {
            return Optional.empty();
        }
    }

    /** @throws UnansweredException if Cassandra cannot be used */
    private Optional<LockInspection> openedInspection() {
        try {
            return inspection.get();
        } catch (RuntimeException e) {
            throw new UnansweredException("Locks cannot be read from Cassandra: " + e.getMessage(), e);
        }
    }

    private List<SessionInfo> sessions() {
        return openedInspection()
                .map(store -> Answers.await(store.sessions(), "The sessions could not be read"))
                .orElse(List.of());
    }

    /** @throws UnansweredException if Cassandra does not answer, or the algorithm cannot be inspected */
    Bodies.OneLock lock(String lockId) {
        LockState state = Answers.await(store().inspect(lockId), "Lock '" + lockId + "' could not be read");
        return body(lockId, state, local.localLocks(lockId::equals), Instant.now());
    }

    private LockInspection store() {
        return openedInspection()
                .orElseThrow(() -> new UnansweredException(
                        "Locks of the algorithm '" + algorithm
                                + "' cannot be read: it is the application's own, or its locks are in several clusters. GET without a"
                                + " lock id shows what this process holds",
                        null));
    }

    /**
     * Lists locks of all processes.
     *
     * @throws UnansweredException if Cassandra does not answer, or the algorithm cannot list locks
     */
    Bodies.Locks locks(String idPrefix, String page) {
        try {
            return Bodies.Locks.of(
                    Answers.await(store().list(idPrefix, page), "The locks could not be listed"),
                    prefix,
                    Instant.now());
        } catch (UnsupportedOperationException e) {
            throw new UnansweredException(String.valueOf(e.getMessage()), e);
        }
    }

    /** @param locks of this process, with this id */
    private Bodies.OneLock body(String lockId, LockState state, LocalLocks locks, Instant now) {
        return new Bodies.OneLock(
                Bodies.text(now),
                lockId,
                prefix,
                state.algorithm(),
                entryBodies(state.holders(), locks.held(), now),
                state.holderCount(),
                entryBodies(state.queue(), locks.waiting(), now),
                state.queueLength(),
                Bodies.Entry.nullable(state.lastToken()),
                Bodies.Session.of(state.sessions()),
                Bodies.Acquisition.of(locks.held(), now),
                locks.heldCount(),
                Bodies.Acquisition.of(locks.waiting(), now),
                locks.waitingCount(),
                underOther(lockId, state, locks, now));
    }

    private Bodies.@Nullable OneLock underOther(String lockId, LockState state, LocalLocks locks, Instant now) {
        return state.underOther().map(other -> body(lockId, other, locks, now)).orElse(null);
    }

    private static List<Bodies.Entry> entryBodies(List<QueueEntry> entries, List<LocalLock> local, Instant now) {
        Map<LockMode, Long> own = entries.stream()
                .filter(QueueEntry::ofThisProcess)
                .collect(Collectors.groupingBy(QueueEntry::mode, Collectors.counting()));
        return entries.stream()
                .map(entry ->
                        Bodies.Entry.of(entry, thread(entry, own.getOrDefault(entry.mode(), 0L) == 1, local), now))
                .toList();
    }

    /**
     * The acquisition behind an entry of this process: the one that the entry names. A slot names none, because threads share it.
     * If a mode has only one slot in this process, the acquisition is the oldest hold or wait in it.
     */
    private static Optional<LocalLock> thread(QueueEntry entry, boolean only, List<LocalLock> local) {
        if (!entry.ofThisProcess() || (entry.threadId().isEmpty() && !only)) {
            return Optional.empty();
        }
        return local.stream()
                .filter(lock -> !lock.lost())
                .filter(lock -> entry.threadId().map(lock.threadId()::equals).orElse(lock.mode() == entry.mode()))
                .findFirst();
    }
}

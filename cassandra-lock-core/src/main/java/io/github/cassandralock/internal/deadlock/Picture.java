package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.PublishedWaits;
import io.github.cassandralock.internal.store.WaitId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The results of one reading: waits of this process, published waits and renewals of other sessions, and slots of locks. Not
 * thread-safe.
 */
final class Picture {

    private final Map<UUID, PublishedWaits> rows = new HashMap<>();
    private final Map<String, LockSlots> locks = new HashMap<>();
    private final Map<String, Set<UUID>> sessionsOfLocks = new HashMap<>();
    private final Map<WaitId, PublishedWait> waits = new HashMap<>();
    private final Map<String, List<PublishedWait>> holders = new HashMap<>();
    private final Map<UUID, Long> beats = new HashMap<>();

    /** @param own all waits of this process */
    Picture(PublishedWaits own) {
        add(own);
    }

    /** Adds a row that is to be followed. */
    void add(PublishedWaits row) {
        rows.put(row.session(), row);
        row.waits().forEach(this::index);
    }

    private void index(PublishedWait wait) {
        waits.put(wait.id(), wait);
        wait.call().held().stream()
                .map(PublishedHold::lockId)
                .distinct()
                .forEach(lock ->
                        holders.computeIfAbsent(lock, id -> new ArrayList<>(1)).add(wait));
    }

    void add(String lockId, LockSlots slots) {
        locks.put(lockId, slots);
        sessionsOfLocks.put(lockId, WaitsFor.sessions(slots));
    }

    /** Adds the number of the last renewal of the session. */
    void addBeat(UUID session, long beat) {
        beats.put(session, beat);
    }

    boolean showsBeat(UUID session) {
        return beats.containsKey(session);
    }

    /** Zero if it is not shown. */
    long beatOf(UUID session) {
        return beats.getOrDefault(session, 0L);
    }

    boolean shows(UUID session) {
        return rows.containsKey(session);
    }

    boolean shows(String lockId) {
        return locks.containsKey(lockId);
    }

    Optional<LockSlots> lock(String lockId) {
        return Optional.ofNullable(locks.get(lockId));
    }

    /** The sessions whose waits matter to waits for this lock, which the picture must show. */
    Set<UUID> sessionsOf(String lockId) {
        return sessionsOfLocks.getOrDefault(lockId, Set.of());
    }

    Optional<PublishedWait> wait(WaitId id) {
        return Optional.ofNullable(waits.get(id));
    }

    /** The waits whose owners hold this lock, including conversions of the lock. */
    List<PublishedWait> holdersOf(String lockId) {
        return holders.getOrDefault(lockId, List.of());
    }

    /** Zero if the session is not shown. */
    long seqOf(UUID session) {
        PublishedWaits row = rows.get(session);
        return row == null ? 0 : row.seq();
    }

    Collection<UUID> sessions() {
        return rows.keySet();
    }

    /** The locks for which a call waits. */
    Set<String> wanted() {
        return waits.values().stream().map(wait -> wait.call().lockId()).collect(Collectors.toSet());
    }
}

package io.github.cassandralock.internal.ticket.handle;

import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.store.HeldLock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Which locks of this process belong to which owner, for the search for deadlocks (lock modes, section 7). Thread-safe. */
public final class OwnedLocks {

    /** How many locks of one owner are published at most. These are the locks that it has held for longest. */
    private static final int TOLD = 1_000;

    private final AtomicLong numbers = new AtomicLong();

    /** An owner without locks has no entry. The inner maps change only within a change of the outer one. */
    private final ConcurrentMap<LockOwner, ConcurrentMap<Long, Entry>> byOwner = new ConcurrentHashMap<>();

    /** One handle of an owner, in one mode: it has another number after a conversion. */
    public record Entry(OwnedLocks all, LockOwner owner, String lockId, TicketHandle handle, long number) {

        private Optional<HeldLock> held() {
            return Optional.of(handle)
                    .filter(TicketHandle::isValid)
                    .map(TicketHandle::mode)
                    .map(mode -> new HeldLock(number, lockId, mode));
        }

        /** The handle has been converted. */
        Entry renumbered() {
            remove();
            return all.add(owner, lockId, handle);
        }

        /** The owner needs the handle no longer, or has lost it. */
        void remove() {
            all.byOwner.computeIfPresent(owner, (same, entries) -> {
                entries.remove(number);
                return entries.isEmpty() ? null : entries;
            });
        }
    }

    Entry add(LockOwner owner, String lockId, TicketHandle handle) {
        Entry entry = new Entry(this, owner, lockId, handle, numbers.getAndIncrement());
        byOwner.compute(owner, (same, present) -> {
            ConcurrentMap<Long, Entry> entries = present == null ? new ConcurrentHashMap<>(2) : present;
            entries.put(entry.number(), entry);
            return entries;
        });
        return entry;
    }

    public boolean holdsAny(LockOwner owner) {
        return byOwner.containsKey(owner);
    }

    /** What the owner holds now, in the order of the numbers. */
    public List<HeldLock> of(LockOwner owner) {
        Map<Long, Entry> entries = byOwner.get(owner);
        Stream<Entry> present = entries == null ? Stream.empty() : new HashMap<>(entries).values().stream();
        return present.flatMap(entry -> entry.held().stream())
                .sorted(Comparator.comparingLong(HeldLock::number))
                .limit(TOLD)
                .toList();
    }
}

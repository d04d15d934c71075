package io.github.cassandralock.internal.ticket.handle;

import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.store.PublishedHold;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The locks of this process by their owners, for the search for deadlocks (lock modes, section 7). Thread-safe. */
public final class OwnedLocks {

    /** The largest number of locks published for one owner. These are the locks that the owner has held for longest. */
    private static final int MOST_PUBLISHED = 1_000;

    private final AtomicLong numbers = new AtomicLong();

    /** An owner without locks has no entry. The inner maps change only within a change of the outer one. */
    private final ConcurrentMap<LockOwner, ConcurrentMap<Long, Entry>> byOwner = new ConcurrentHashMap<>();

    /** One handle of an owner in one mode. After a conversion, the handle has an entry with another number. */
    public record Entry(OwnedLocks all, LockOwner owner, String lockId, TicketHandle handle, long number, int permits) {

        private Optional<PublishedHold> held() {
            return Optional.of(handle)
                    .filter(TicketHandle::isValid)
                    .map(TicketHandle::mode)
                    .map(mode -> new PublishedHold(number, lockId, mode, permits));
        }

        /** Replaces this entry after a conversion of the handle. */
        Entry renumbered() {
            remove();
            return all.add(owner, lockId, handle);
        }

        /** Removes the entry, because the owner no longer needs the handle, or has lost it. */
        void remove() {
            all.byOwner.computeIfPresent(owner, (same, entries) -> {
                entries.remove(number);
                return entries.isEmpty() ? null : entries;
            });
        }
    }

    Entry add(LockOwner owner, String lockId, TicketHandle handle) {
        Entry entry = new Entry(
                this,
                owner,
                lockId,
                handle,
                numbers.getAndIncrement(),
                handle.row().slot().permits());
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

    /** The locks that the owner holds now, in the order of the numbers. */
    public List<PublishedHold> of(LockOwner owner) {
        Map<Long, Entry> entries = byOwner.get(owner);
        Stream<Entry> present = entries == null ? Stream.empty() : new HashMap<>(entries).values().stream();
        return present.flatMap(entry -> entry.held().stream())
                .sorted(Comparator.comparingLong(PublishedHold::number))
                .limit(MOST_PUBLISHED)
                .toList();
    }
}

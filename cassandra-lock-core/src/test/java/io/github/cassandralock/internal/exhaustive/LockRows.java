package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The partition of the lock, as section 1 of the protocol promises it, and no better. Of each row, a read shows the last write that
 * was acknowledged before the read began, or any write that was under way since. A row that has expired is like one that is being
 * deleted, under the timestamp of its write: servers whose clocks differ do not agree on the instant.
 */
final class LockRows {

    private static final long EVICTION = 1L << 62;

    /**
     * What a row may be: a write with its timestamp; without a slot if there is no row.
     *
     * @param expires the first instant at which it may have expired, of the world's time
     */
    record Version(Optional<Slot> slot, long timestamp, long expires) implements Comparable<Version> {

        static final Version NONE = new Version(Optional.empty(), 0, Long.MAX_VALUE);
        static final Version EVICTED = new Version(Optional.empty(), EVICTION, Long.MAX_VALUE);

        private static final Comparator<Version> ORDER =
                Comparator.comparingLong(Version::timestamp).thenComparing(Version::isMissing);

        static Version of(Slot slot, long timestamp, long expires) {
            return new Version(Optional.of(slot), timestamp, expires);
        }

        /** The row as a server shows it whose clock is past the expiry of this write. */
        Version expired() {
            return new Version(Optional.empty(), timestamp, Long.MAX_VALUE);
        }

        private boolean isMissing() {
            return slot.isEmpty();
        }

        StateKey key() {
            return StateKey.EMPTY.with(timestamp).with(isMissing() ? 1 : 0);
        }

        @Override
        public int compareTo(Version other) {
            return ORDER.compare(this, other);
        }
    }

    /** A row that may have expired, as one of its writes has left it. */
    record Expiry(SlotId row, Version version) {}

    /** A row: what was acknowledged last, and later writes that may be there or not. */
    private static final class Row {

        private Version acknowledged = Version.NONE;
        private final TreeSet<Version> underWay = new TreeSet<>();

        void send(Version version) {
            if (acknowledged.compareTo(version) < 0) {
                underWay.add(version);
            }
        }

        void acknowledge(Version version) {
            if (acknowledged.compareTo(version) < 0) {
                acknowledged = Objects.requireNonNullElse(underWay.floor(version), version);
                underWay.headSet(version, true).clear();
            }
        }

        List<Version> possible() {
            List<Version> possible = new ArrayList<>(underWay);
            possible.add(0, acknowledged);
            return possible;
        }

        StateKey key() {
            return keyOf(possible());
        }
    }

    private final TreeMap<SlotId, Row> rows = new TreeMap<>();
    private final Map<UUID, Boolean> evictions = new HashMap<>();
    private final List<SlotRead> reads;

    /** @param reads that are under way */
    LockRows(List<SlotRead> reads) {
        this.reads = reads;
    }

    static StateKey keyOf(List<Version> versions) {
        StateKey key = StateKey.EMPTY.with(versions.size());
        for (Version version : versions) {
            key = key.with(version.key());
        }
        return key;
    }

    /** A write of a slot is sent. From now on, a read may show it. If it is sent again, its life counts from the first time. */
    void send(SlotId id, Version version) {
        send(id, rows.computeIfAbsent(id, this::newRow), version);
    }

    /** What may expire at this instant and has not yet. */
    List<Expiry> expiries(long now) {
        List<Expiry> expiries = new ArrayList<>();
        rows.forEach((id, row) -> row.possible().stream()
                .filter(version -> version.expires() <= now)
                .filter(version -> !row.possible().contains(version.expired()))
                .forEach(version -> expiries.add(new Expiry(id, version))));
        return expiries;
    }

    /** From now on, a read may show that the row has expired. */
    void expire(Expiry expiry) {
        send(expiry.row(), expiry.version().expired());
    }

    /** An eviction may have been sent before the row was there. */
    private Row newRow(SlotId id) {
        Row row = new Row();
        Boolean acknowledged = evictions.get(id.session());
        if (acknowledged != null) {
            row.send(Version.EVICTED);
            if (acknowledged) {
                row.acknowledge(Version.EVICTED);
            }
        }
        return row;
    }

    private void send(SlotId id, Row row, Version version) {
        row.send(version);
        if (row.possible().contains(version)) {
            reads.forEach(read -> read.mayShow(id, version));
        }
    }

    void acknowledge(SlotId id, Version version) {
        Objects.requireNonNull(rows.get(id)).acknowledge(version);
    }

    void sendEviction(UUID session) {
        evictions.putIfAbsent(session, false);
        rowsOf(session).forEach((id, row) -> send(id, row, Version.EVICTED));
    }

    void acknowledgeEviction(UUID session) {
        evictions.put(session, true);
        rowsOf(session).values().forEach(row -> row.acknowledge(Version.EVICTED));
    }

    private Map<SlotId, Row> rowsOf(UUID session) {
        return rows.subMap(new SlotId(session, 0), true, new SlotId(session, SlotId.HIGHEST), true);
    }

    /** What a read that begins now may show of each row. */
    Map<SlotId, List<Version>> possible() {
        Map<SlotId, List<Version>> possible = new TreeMap<>();
        rows.forEach((id, row) -> possible.put(id, row.possible()));
        return possible;
    }

    /** A slot that may show and is not idle. */
    Optional<Slot> inTheWay() {
        return rows.values().stream()
                .flatMap(row -> row.possible().stream())
                .flatMap(version -> version.slot().stream())
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .findFirst();
    }

    StateKey key() {
        StateKey key = StateKey.EMPTY;
        for (Map.Entry<SlotId, Row> row : rows.entrySet()) {
            key = key.with(StateKey.of(row.getKey())).with(row.getValue().key());
        }
        return key.with(evictions.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .map(entry -> StateKey.of(entry.getKey()).with(entry.getValue() ? 1 : 0))
                .reduce(StateKey.EMPTY, StateKey::with));
    }
}

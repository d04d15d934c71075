package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
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
 * was acknowledged before the read began, or any write that was under way since. Nothing expires.
 */
final class LockRows {

    private static final long EVICTION = 1L << 62;

    /** What a row may be: a write with its timestamp; without a slot if there is no row. */
    record Version(Optional<Slot> slot, long timestamp) implements Comparable<Version> {

        static final Version NONE = new Version(Optional.empty(), 0);
        static final Version EVICTED = new Version(Optional.empty(), EVICTION);

        @Override
        public int compareTo(Version other) {
            return Long.compare(timestamp, other.timestamp);
        }
    }

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
                acknowledged = version;
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
            key = key.with(version.timestamp());
        }
        return key;
    }

    /** A write of a slot is sent. From now on, a read may show it. */
    void send(Slot slot, long timestamp) {
        Row row = rows.computeIfAbsent(slot.id(), id -> newRow(id));
        send(slot.id(), row, new Version(Optional.of(slot), timestamp));
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

    void acknowledge(Slot slot, long timestamp) {
        Objects.requireNonNull(rows.get(slot.id())).acknowledge(new Version(Optional.of(slot), timestamp));
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

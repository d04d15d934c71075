package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** A read of the lock's partition. */
final class SlotRead extends Request {

    private final Map<SlotId, List<LockRows.Version>> possible;
    private final CompletableFuture<LockSlots> result = new CompletableFuture<>();

    /** @param possible what it may show of each row, as it begins */
    SlotRead(SmallProcess process, Map<SlotId, List<LockRows.Version>> possible) {
        super(process);
        this.possible = possible;
    }

    CompletableFuture<LockSlots> result() {
        return result;
    }

    /** A write was sent while this read is under way. */
    void mayShow(SlotId row, LockRows.Version version) {
        List<LockRows.Version> versions =
                possible.computeIfAbsent(row, id -> new ArrayList<>(List.of(LockRows.Version.NONE)));
        if (!versions.contains(version)) {
            versions.add(version);
        }
    }

    @Override
    int answers() {
        return possible.values().stream().mapToInt(List::size).reduce(1, Math::multiplyExact);
    }

    private Map<SlotId, LockRows.Version> chosen(int choice) {
        Map<SlotId, LockRows.Version> chosen = new TreeMap<>();
        int rest = choice;
        for (Map.Entry<SlotId, List<LockRows.Version>> row : possible.entrySet()) {
            List<LockRows.Version> versions = row.getValue();
            chosen.put(row.getKey(), versions.get(rest % versions.size()));
            rest /= versions.size();
        }
        return chosen;
    }

    private static List<Slot> slots(Map<SlotId, LockRows.Version> chosen) {
        return chosen.values().stream()
                .flatMap(version -> version.slot().stream())
                .toList();
    }

    @Override
    StateKey answer(int choice) {
        Map<SlotId, LockRows.Version> chosen = chosen(choice);
        result.complete(new LockSlots(slots(chosen), OptionalLong.empty()));
        StateKey key = StateKey.EMPTY;
        for (Map.Entry<SlotId, LockRows.Version> row : chosen.entrySet()) {
            key = key.with(StateKey.of(row.getKey())).with(row.getValue().key());
        }
        return key;
    }

    @Override
    void timeOut() {
        result.completeExceptionally(new TimeoutException("no quorum in time"));
    }

    @Override
    StateKey key() {
        StateKey key = StateKey.EMPTY;
        for (Map.Entry<SlotId, List<LockRows.Version>> row : possible.entrySet()) {
            key = key.with(StateKey.of(row.getKey()))
                    .with(LockRows.keyOf(row.getValue().stream().sorted().toList()));
        }
        return key;
    }

    @Override
    String answerText(int choice) {
        List<Slot> slots = slots(chosen(choice));
        return slots.stream()
                .map(slot -> SmallProcess.nameOf(slot.session()) + " is " + SlotWrite.text(slot))
                .collect(Collectors.joining(", ", "with [", "]"));
    }

    @Override
    public String toString() {
        return "read";
    }
}

package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cycles that one or two readings have shown. A cycle is real if three readings show it, one after the other (lock modes, section
 * 7). Each reading begins when the reading before is complete. Not thread-safe.
 */
final class Suspects {

    /**
     * How much every {@code seq} and every beat must rise. Then the write that shows it was sent after the first reading was
     * complete.
     */
    private static final int RISE = 2;

    /** How many cycles are read again at a time. */
    private static final int MOST = 64;

    private final Map<WaitId, Suspect> suspects = new LinkedHashMap<>();

    /** @param second the numbers that must rise, as the second reading showed them; null before that */
    private record Suspect(DeadlockCycle cycle, @Nullable Map<UUID, Long> second) {}

    /** Adds a cycle that a first reading has shown. */
    void found(DeadlockCycle cycle) {
        if (suspects.size() < MOST) {
            suspects.put(cycle.first().id(), new Suspect(cycle, null));
        }
    }

    boolean isSuspect(PublishedWait own) {
        return suspects.containsKey(own.id());
    }

    /** What the next reading must show, as far as its present contents determine it. */
    Wanted wanted(Picture picture) {
        Wanted wanted = new Wanted();
        suspects.values().stream().map(Suspect::cycle).forEach(cycle -> {
            cycle.all().forEach(wait -> {
                wanted.sessions().add(wait.id().session());
                wanted.locks().add(wait.call().lockId());
                picture.sessionsOf(wait.call().lockId()).forEach(wanted.sessions()::add);
            });
            cycle.passedThrough(picture).forEach(wanted.beats()::add);
        });
        return wanted;
    }

    /**
     * Compares the suspects with the next reading, which is complete. Drops a cycle that the reading does not show completely.
     *
     * @param own the session of this process, whose waits were queried after the reading before was complete
     * @return the cycles that are real
     */
    List<DeadlockCycle> shownBy(Picture picture, UUID own) {
        List<DeadlockCycle> real = new ArrayList<>();
        Map<WaitId, Suspect> before = new LinkedHashMap<>(suspects);
        suspects.clear();
        before.forEach((id, suspect) -> suspect.cycle().unchangedIn(picture).ifPresent(cycle -> {
            Map<UUID, Long> second = suspect.second();
            Set<UUID> passedThrough = cycle.passedThrough(picture);
            Map<UUID, Long> now = numbers(cycle, passedThrough, picture);
            if (!passedThrough.stream().allMatch(picture::showsBeat)) {
                suspects.put(id, new Suspect(cycle, second));
            } else if (second == null || !second.keySet().containsAll(now.keySet())) {
                suspects.put(id, new Suspect(cycle, now));
            } else if (!hasRisen(second, now, own)) {
                suspects.put(id, new Suspect(cycle, second));
            } else if (cycle.isIn(picture)) {
                real.add(cycle);
            }
        }));
        return real;
    }

    /** The {@code seq} of each member, and the beat of each session that is passed through. */
    private static Map<UUID, Long> numbers(DeadlockCycle cycle, Set<UUID> passedThrough, Picture picture) {
        Map<UUID, Long> numbers = new HashMap<>();
        cycle.members().forEach(session -> numbers.put(session, picture.seqOf(session)));
        passedThrough.forEach(session -> numbers.put(session, picture.beatOf(session)));
        return numbers;
    }

    private static boolean hasRisen(Map<UUID, Long> second, Map<UUID, Long> now, UUID own) {
        return now.entrySet().stream()
                .allMatch(number -> number.getKey().equals(own)
                        || number.getValue() - second.getOrDefault(number.getKey(), number.getValue()) >= RISE);
    }
}

package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cycles that one or two readings have shown. A cycle is real if three readings show it, each of which begins when the one before is
 * complete (lock modes, section 7). Not thread-safe.
 */
final class Suspects {

    /** How much every {@code seq} has to rise: then the write that shows it was sent after the first reading was complete. */
    private static final int RISE = 2;

    /** How many cycles are read again at the same time. */
    private static final int MOST = 64;

    private final Map<WaitId, Suspect> suspects = new LinkedHashMap<>();

    /** @param second what {@code seq} was in the second reading; null before that */
    private record Suspect(DeadlockCycle cycle, @Nullable Map<UUID, Long> second) {}

    /** A first reading has shown this cycle. */
    void found(DeadlockCycle cycle) {
        if (suspects.size() < MOST) {
            suspects.put(cycle.first().id(), new Suspect(cycle, null));
        }
    }

    boolean isSuspect(PublishedWait own) {
        return suspects.containsKey(own.id());
    }

    /** What the next reading has to show, as far as that is known from what it shows already. */
    Wanted wanted(Picture picture) {
        Wanted wanted = new Wanted();
        suspects.values().stream()
                .flatMap(suspect -> suspect.cycle().waits().stream())
                .forEach(wait -> {
                    wanted.session(wait.id().session());
                    wanted.lock(wait.call().lockId());
                    picture.sessionsOf(wait.call().lockId()).forEach(wanted::session);
                });
        return wanted;
    }

    /**
     * The next reading is complete. A cycle that it does not show completely is dropped.
     *
     * @param own the session of this process, whose waits were asked after the reading before was complete
     * @return the cycles that are real
     */
    List<DeadlockCycle> shownBy(Picture picture, UUID own) {
        List<DeadlockCycle> real = new ArrayList<>();
        Map<WaitId, Suspect> before = new LinkedHashMap<>(suspects);
        suspects.clear();
        before.forEach((id, suspect) -> suspect.cycle().unchangedIn(picture).ifPresent(cycle -> {
            Map<UUID, Long> second = suspect.second();
            if (second == null) {
                suspects.put(id, new Suspect(cycle, seqs(cycle, picture)));
            } else if (!hasRisen(second, picture, own)) {
                suspects.put(id, new Suspect(cycle, second));
            } else if (cycle.isIn(picture)) {
                real.add(cycle);
            }
        }));
        return real;
    }

    private static Map<UUID, Long> seqs(DeadlockCycle cycle, Picture picture) {
        Map<UUID, Long> seqs = new HashMap<>();
        cycle.waits()
                .forEach(wait ->
                        seqs.put(wait.id().session(), picture.seqOf(wait.id().session())));
        return seqs;
    }

    private static boolean hasRisen(Map<UUID, Long> second, Picture picture, UUID own) {
        return second.entrySet().stream()
                .allMatch(seq -> seq.getKey().equals(own) || picture.seqOf(seq.getKey()) - seq.getValue() >= RISE);
    }
}

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
 * Circles that one or two readings have shown. A circle is real if three readings do, of which each begins when the one before is complete
 * (lock modes, section 7). Not thread-safe.
 */
final class Suspects {

    /** By so much every {@code seq} has to rise: the write that shows it was sent after the first reading was complete. */
    private static final int RISE = 2;

    /** So many are read again at the same time. */
    private static final int MOST = 64;

    private final Map<WaitId, Suspect> suspects = new LinkedHashMap<>();

    /** @param second what {@code seq} was in the second reading; null before that */
    private record Suspect(Circle circle, @Nullable Map<UUID, Long> second) {}

    /** A first reading has shown this circle. */
    void found(Circle circle) {
        if (suspects.size() < MOST) {
            suspects.put(circle.first().id(), new Suspect(circle, null));
        }
    }

    boolean isSuspect(PublishedWait own) {
        return suspects.containsKey(own.id());
    }

    /** What the next reading has to show, as far as that is known from what it shows already. */
    Wanted wanted(Picture picture) {
        Wanted wanted = new Wanted();
        suspects.values().stream()
                .flatMap(suspect -> suspect.circle().waits().stream())
                .forEach(wait -> {
                    wanted.session(wait.id().session());
                    wanted.lock(wait.call().lockId());
                    picture.sessionsOf(wait.call().lockId()).forEach(wanted::session);
                });
        return wanted;
    }

    /**
     * The next reading is complete. A circle of which it does not show all is none any more.
     *
     * @param own the session of this process, whose waits were asked after the reading before was complete
     * @return those that are real
     */
    List<Circle> shownBy(Picture picture, UUID own) {
        List<Circle> real = new ArrayList<>();
        Map<WaitId, Suspect> before = new LinkedHashMap<>(suspects);
        suspects.clear();
        before.forEach((id, suspect) -> suspect.circle().unchangedIn(picture).ifPresent(circle -> {
            Map<UUID, Long> second = suspect.second();
            if (second == null) {
                suspects.put(id, new Suspect(circle, seqs(circle, picture)));
            } else if (!hasRisen(second, picture, own)) {
                suspects.put(id, new Suspect(circle, second));
            } else if (circle.isIn(picture)) {
                real.add(circle);
            }
        }));
        return real;
    }

    private static Map<UUID, Long> seqs(Circle circle, Picture picture) {
        Map<UUID, Long> seqs = new HashMap<>();
        circle.waits()
                .forEach(wait ->
                        seqs.put(wait.id().session(), picture.seqOf(wait.id().session())));
        return seqs;
    }

    private static boolean hasRisen(Map<UUID, Long> second, Picture picture, UUID own) {
        return second.entrySet().stream()
                .allMatch(seq -> seq.getKey().equals(own) || picture.seqOf(seq.getKey()) - seq.getValue() >= RISE);
    }
}

package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How many answers a session gets in a second: whoever sends notices in its name cannot have it flooded. Thread-safe; never blocks.
 */
final class AnswerLimit {

    /** Far more than waiters need: most notices that they get are no answers, but sent when an attempt is over. */
    static final int MOST = 1_000;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Beyond so many sessions, the one that was answered first is forgotten. */
    private static final int MOST_SESSIONS = 4_096;

    private final Ticker ticker;

    /** Guarded by itself, which is held for memory accesses only. */
    private final Map<UUID, Answers> answers = new LinkedHashMap<>();

    private record Answers(long since, int count) {}

    AnswerLimit(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Counts an answer to this session; returns false if it is one too many. */
    boolean mayAnswer(UUID session) {
        long now = ticker.nanos();
        synchronized (answers) {
            Answers counted = answers.merge(
                    session,
                    new Answers(now, 1),
                    (before, first) ->
                            now - before.since() >= SECOND ? first : new Answers(before.since(), before.count() + 1));
            if (answers.size() > MOST_SESSIONS) {
                answers.remove(answers.keySet().iterator().next());
            }
            return counted.count() <= MOST;
        }
    }
}

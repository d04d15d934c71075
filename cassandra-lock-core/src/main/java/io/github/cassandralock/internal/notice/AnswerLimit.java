package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Limits the answers to a session in a second. Therefore a process that sends notices in a session's name cannot flood that
 * session with answers. Thread-safe; never blocks.
 */
final class AnswerLimit {

    /** Far more than waiters need: most notices to them are no answers, but sent when an attempt is over. */
    static final int MOST = 1_000;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Beyond this number of sessions, the one that was answered first is removed. */
    private static final int MOST_SESSIONS = 4_096;

    private final Ticker ticker;

    /** Guarded by itself, which is held for memory accesses only. */
    private final Map<UUID, Answers> answers = new LinkedHashMap<>();

    private record Answers(long since, int count) {}

    AnswerLimit(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Counts an answer to this session. Returns false if it exceeds the limit. */
    boolean countAnswer(UUID session) {
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

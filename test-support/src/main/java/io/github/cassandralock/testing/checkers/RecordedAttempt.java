package io.github.cassandralock.testing.checkers;

import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One attempt from the question to the end, or as far as it came. */
final class RecordedAttempt {

    private final History history;
    private final Event.Asked asked;
    private Event.@Nullable Entered entered;
    private Event.@Nullable Left left;
    private Event.@Nullable Ended ended;
    private final List<String> contradictions = new ArrayList<>();

    private RecordedAttempt(History history, Event.Asked asked) {
        this.history = history;
        this.asked = asked;
    }

    static List<RecordedAttempt> of(History history) {
        Map<String, RecordedAttempt> attempts = new LinkedHashMap<>();
        for (Event event : history.events()) {
            String name = event.thread() + "#" + event.attempt();
            if (event instanceof Event.Asked asked) {
                if (attempts.put(name, new RecordedAttempt(history, asked)) != null) {
                    throw new IllegalStateException(history.worker() + " has two attempts " + name);
                }
            } else {
                Objects.requireNonNull(attempts.get(name), "an event of an attempt that was never begun")
                        .add(event);
            }
        }
        return List.copyOf(attempts.values());
    }

    private void add(Event event) {
        if (event instanceof Event.Entered entry) {
            expect(entered == null && ended == null, event);
            entered = entry;
        } else if (event instanceof Event.Left leave) {
            expect(entered != null && left == null && ended == null, event);
            left = leave;
        } else if (event instanceof Event.Ended end) {
            expect(ended == null, event);
            ended = end;
        }
    }

    private void expect(boolean expected, Event event) {
        if (!expected) {
            contradictions.add(this + " has an unexpected " + event);
        }
    }

    /** Events that do not fit together. */
    List<String> contradictions() {
        return contradictions;
    }

    String thread() {
        return history.worker() + "/" + asked.thread();
    }

    String lockId() {
        return asked.lockId();
    }

    long askedAt() {
        return asked.at();
    }

    /** The end of the attempt, or of its process. */
    long endedAt() {
        return ended == null ? history.endedAt() : ended.at();
    }

    /** Empty if it was cut short. */
    Optional<Outcome> outcome() {
        return Optional.ofNullable(ended).map(Event.Ended::outcome);
    }

    String detail() {
        return ended == null ? "" : ended.detail();
    }

    boolean mayBeCutShort() {
        return history.killed();
    }

    /** A register refuses a token only if a later holder has been there. */
    boolean tokenRefusedWhileHeld() {
        return left != null && left.held() && left.tokenRefused();
    }

    Optional<Hold> hold() {
        if (entered == null) {
            return Optional.empty();
        }
        boolean counted = left != null && left.held();
        return Optional.of(new Hold(
                toString(),
                lockId(),
                entered.token(),
                entered.read(),
                entered.at(),
                left != null && left.held() ? left.at() : entered.at(),
                counted,
                left == null ? endedAt() : left.at()));
    }

    @Override
    public String toString() {
        return thread() + "#" + asked.attempt() + " on '" + lockId() + "'";
    }
}

package io.github.cassandralock.testing.checkers;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One attempt from the question to the end, or as far as it came. */
final class RecordedAttempt {

    private final History history;
    private final Event.Asked asked;
    private Event.@Nullable Converted converted;
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
        if (event instanceof Event.Converted conversion) {
            expect(converted == null && entered == null && ended == null, event);
            converted = conversion;
        } else if (event instanceof Event.Entered entry) {
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

    /** Empty unless it is a conversion during which writers were kept out. */
    Optional<Event.Converted> conversion() {
        return Optional.ofNullable(converted);
    }

    Optional<Hold> hold() {
        return entered == null
                ? Optional.empty()
                : Optional.of(hold(entered, left != null && left.held() ? Optional.of(left) : Optional.empty()));
    }

    /** @param heldToTheEnd how it left the lock, if it still held it then */
    private Hold hold(Event.Entered entry, Optional<Event.Left> heldToTheEnd) {
        boolean writes = asked.mode().covers(LockMode.PROTECTED_WRITE);
        return new Hold(
                toString(),
                thread() + "#" + asked.handle(),
                lockId(),
                asked.mode(),
                entry.token(),
                entry.read(),
                writes
                        ? OptionalLong.empty()
                        : heldToTheEnd.stream().mapToLong(Event.Left::value).findFirst(),
                entry.at(),
                left == null ? entry.at() : heldToTheEnd.map(Event.Left::at).orElse(left.heldUntil()),
                writes && heldToTheEnd.isPresent(),
                left == null ? endedAt() : left.at());
    }

    @Override
    public String toString() {
        return thread() + "#" + asked.attempt() + " on '" + lockId() + "'"
                + (asked.mode() == LockMode.EXCLUSIVE ? "" : " in mode " + asked.mode());
    }
}

package io.github.cassandralock.faults.judge;

import io.github.cassandralock.faults.workload.Event;
import io.github.cassandralock.faults.workload.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One attempt from the question to the end, or as far as it came. */
final class AttemptStory {

    private final History history;
    private final Event.Asked asked;
    private Event.@Nullable Entered entered;
    private Event.@Nullable Left left;
    private Event.@Nullable Ended ended;
    private final List<String> nonsense = new ArrayList<>();

    private AttemptStory(History history, Event.Asked asked) {
        this.history = history;
        this.asked = asked;
    }

    static List<AttemptStory> of(History history) {
        Map<String, AttemptStory> stories = new LinkedHashMap<>();
        for (Event event : history.events()) {
            String name = event.thread() + "#" + event.attempt();
            if (event instanceof Event.Asked asked) {
                if (stories.put(name, new AttemptStory(history, asked)) != null) {
                    throw new IllegalStateException(history.worker() + " has two attempts " + name);
                }
            } else {
                Objects.requireNonNull(stories.get(name), "an event of an attempt that nobody began")
                        .add(event);
            }
        }
        return List.copyOf(stories.values());
    }

    private void add(Event event) {
        if (event instanceof Event.Entered entry) {
            note(entered == null && ended == null, event);
            entered = entry;
        } else if (event instanceof Event.Left leave) {
            note(entered != null && left == null && ended == null, event);
            left = leave;
        } else if (event instanceof Event.Ended end) {
            note(ended == null, event);
            ended = end;
        }
    }

    private void note(boolean expected, Event event) {
        if (!expected) {
            nonsense.add(this + " has an unexpected " + event);
        }
    }

    /** Events that do not fit together. */
    List<String> nonsense() {
        return nonsense;
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

    Optional<Stay> stay() {
        if (entered == null) {
            return Optional.empty();
        }
        boolean counted = left != null && left.held();
        return Optional.of(new Stay(
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

package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One reading that looks for a circle in which one wait is the last: it follows only waits that come before it in the order of {@link
 * WaitId}, so that of each circle exactly one wait finds it. The shortest circle is found first. Its tasks run one at a time.
 */
final class CircleSearch {

    private final Reading reading;
    private final Freshness freshness;
    private final Executor executor;
    private final WaitId own;
    private final Deque<WaitRow> next = new ArrayDeque<>();
    private final Map<WaitId, @Nullable WaitRow> reachedFrom = new HashMap<>();
    private final Set<WaitId> read = new HashSet<>();

    /** @param executor runs the tasks of the check, one at a time */
    CircleSearch(Reading reading, Freshness freshness, Executor executor, WaitId own) {
        this.reading = reading;
        this.freshness = freshness;
        this.executor = executor;
        this.own = own;
    }

    /** Completes with a circle that begins with the own wait; with empty if there is none. */
    CompletionStage<Optional<Circle>> find() {
        return reading.waitsOf(List.of(own.session())).thenComposeAsync(this::begin, executor);
    }

    private CompletionStage<Optional<Circle>> begin(Map<WaitId, WaitRow> rows) {
        WaitRow row = rows.get(own);
        if (row == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        next.add(row);
        return goOn();
    }

    private CompletionStage<Optional<Circle>> goOn() {
        WaitRow row = next.poll();
        if (row == null) {
            freshness.retain(read);
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return waitedFor(row).thenComposeAsync(others -> follow(row, others), executor);
    }

    private CompletionStage<Optional<Circle>> follow(WaitRow row, List<WaitRow> others) {
        for (WaitRow other : others) {
            if (other.id().equals(own)) {
                Circle circle = circleTo(row);
                if (!circle.dissolves()) {
                    return CompletableFuture.completedFuture(Optional.of(circle));
                }
            }
            if (other.id().compareTo(own) < 0 && !freshness.isStale(other) && !reachedFrom.containsKey(other.id())) {
                reachedFrom.put(other.id(), row);
                next.add(other);
            }
        }
        return goOn();
    }

    private Circle circleTo(WaitRow last) {
        List<WaitRow> circle = new ArrayList<>();
        for (WaitRow row = last; row != null; row = reachedFrom.get(row.id())) {
            circle.add(row);
        }
        Collections.reverse(circle);
        return new Circle(circle);
    }

    /** Completes with all waits that this one waits for, whatever their place in the order. */
    CompletionStage<List<WaitRow>> waitedFor(WaitRow row) {
        return reading.lock(row.call().lockId()).thenComposeAsync(slots -> waitedFor(row, slots), executor);
    }

    private CompletionStage<List<WaitRow>> waitedFor(WaitRow row, LockSlots slots) {
        Set<UUID> sessions = new HashSet<>(WaitsFor.sessions(slots));
        sessions.add(row.id().session());
        return reading.waitsOf(sessions)
                .thenApplyAsync(
                        rows -> {
                            freshness.saw(rows.values());
                            read.addAll(rows.keySet());
                            return WaitsFor.of(
                                    row,
                                    rows.values().stream()
                                            .sorted(Comparator.comparing(WaitRow::id))
                                            .toList(),
                                    slots);
                        },
                        executor);
    }
}

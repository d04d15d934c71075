package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into the rules of the lock's value (lock modes, section 6). One is not among them: that a change whose opening was not
 * acknowledged is closed. Not one of 100,000 schedules shows it; why it is forbidden is argued there.
 */
final class ValueMutants {

    private ValueMutants() {}

    static Stream<Mutant> all() {
        return Stream.concat(opening(), closing());
    }

    private static Stream<Mutant> opening() {
        return Stream.of(
                Mutant.of(
                        Schedules.VALUES,
                        Violation.VALUE_NOT_DOUBTFUL,
                        "values: the holder is answered before its change is certainly open",
                        "ticket.HandleValue",
                        "steps.step( () -> { requireSlots(); return partition.openValue(opening.token()); }, done -> end.complete(opening));",
                        "end.complete(opening); steps.step( () -> { requireSlots(); return partition.openValue(opening.token()); }, done -> {});"),
                Mutant.of(
                        Schedules.VALUES,
                        Violation.VALUE_NOT_DOUBTFUL,
                        "values: a change is not opened",
                        "ticket.HandleValue",
                        "return partition.openValue(opening.token());",
                        "return CompletableFuture.<Void>completedFuture(null);"),
                Mutant.of(
                                Schedules.VALUES,
                                Violation.VALUE_LOST,
                                "values: the value that the process has read before is shown",
                                "ticket.HandleValue",
                                "return partition.readValue().toCompletableFuture();",
                                "CompletableFuture<StoredValue> first = partition.firstRead; if (first == null || first.isCompletedExceptionally()) { first = partition.readValue().toCompletableFuture(); partition.firstRead = first; } return first;")
                        .and(
                                "ticket.LockPartition",
                                "private final String lockId;",
                                "private final String lockId; volatile @Nullable CompletableFuture<StoredValue> firstRead;"));
    }

    private static Stream<Mutant> closing() {
        return Stream.of(
                Mutant.of(
                        Schedules.VALUES,
                        Violation.VALUE_NOT_DOUBTFUL,
                        "values: a doubtful value that nobody has set is closed",
                        "ticket.HandleValue",
                        "if (open.value().isDoubtful() || grant",
                        "if (grant"),
                Mutant.of(
                                Schedules.VALUES,
                                Violation.VALUE_NOT_DOUBTFUL,
                                "values: a holder that was told to stop closes its change",
                                "ticket.HandleValue",
                                "if (open.value().isDoubtful() || grant.hasEndedWithinItsWork()) {",
                                "if (open.value().isDoubtful()) {")
                        .and(
                                "ticket.HandleValue",
                                "if (!grant.hasItsSlots() || grant.hasEndedWithinItsWork()) {",
                                "if (!grant.hasItsSlots()) {"),
                Mutant.of(
                                Schedules.VALUES,
                                Violation.VALUE_NOT_DOUBTFUL,
                                "values: a handle whose lease has run out closes its change",
                                "ticket.HandleValue",
                                "if (open.value().isDoubtful() || grant.hasEndedWithinItsWork()) {",
                                "if (open.value().isDoubtful()) {")
                        .and(
                                "ticket.HandleValue",
                                "requireSlots(); return partition.closeValue(",
                                "return partition.closeValue("),
                Mutant.of(
                        Schedules.VALUES,
                        Violation.VALUE_NOT_DOUBTFUL,
                        "values: two changes have one token",
                        "ticket.HandleValue",
                        "CompletableFuture<Change> present = change; change = null; return present == null",
                        "CompletableFuture<Change> present = change; return present == null"),
                Mutant.of(
                        Schedules.VALUES_WITHOUT_FAULTS,
                        Violation.VALUE_DOUBTFUL_IN_VAIN,
                        "values: the lock is released while its value is being stored",
                        "ticket.HandleValue",
                        "closing = closing.thenComposeAsync(done -> close(), partition.mailbox()) .thenRunAsync(action, partition.mailbox());",
                        "closing = closing.thenComposeAsync(done -> close(), partition.mailbox()); action.run();"),
                Mutant.of(
                        Schedules.VALUES_WITHOUT_FAULTS,
                        Violation.VALUE_LOST,
                        "values: the value that was set is not stored",
                        "ticket.HandleValue",
                        "change = CompletableFuture.completedFuture(new Change(open.token(), value));",
                        "change = present;"),
                Mutant.of(
                        Schedules.VALUES_WITHOUT_FAULTS,
                        Violation.VALUE_DOUBTFUL_IN_VAIN,
                        "values: a conversion down does not close the change",
                        "ticket.Conversions",
                        "if (HandleValue.isWritableIn(conversion.target())) {",
                        "if (conversion.target() != null) {"),
                Mutant.of(
                        Schedules.VALUES_WITHOUT_FAULTS,
                        Violation.VALUE_DOUBTFUL_IN_VAIN,
                        "values: a change that is being opened is not waited for",
                        "ticket.HandleValue",
                        "CompletableFuture<Change> present = change; change = null; return present == null",
                        "CompletableFuture<Change> present = change; change = null; return present == null || !present.isDone()"),
                Mutant.of(
                        Schedules.VALUES,
                        Violation.VALUE_NOT_DOUBTFUL,
                        "values: a lock with a minimum time, whose holder is told to stop, closes its change",
                        "locker.held.MinimumHold",
                        "if (state.get() == State.HELD) { grant.leaveValueOpen(); }",
                        ""));
    }
}

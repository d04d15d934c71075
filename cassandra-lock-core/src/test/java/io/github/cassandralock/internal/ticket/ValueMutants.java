package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into the rules of the lock's value (lock modes, section 6). One is not among them: that a change whose opening was not
 * acknowledged is closed. Not one of 100,000 schedules shows it; why it is forbidden is argued there.
 */
final class ValueMutants {

    private ValueMutants() {}

    static Stream<Fault> all() {
        return Stream.of(opening(), closing(), storing()).flatMap(faults -> faults);
    }

    /** Faults of values that are stored before the release, as those of periods are. */
    private static Stream<Fault> storing() {
        return Stream.of(
                Fault.of(
                                Schedules.PERIODS,
                                Violation.COMPLETED_TWICE,
                                "periods: the holder is answered before the record is acknowledged")
                        .in("ticket.handle.HandleValue", "store(Change)")
                        .replacing("return stored;", "return CompletableFuture.completedFuture(null);"),
                Fault.of(
                                Schedules.PERIODS,
                                Violation.COMPLETED_TWICE,
                                "periods: a record that fails is taken for stored")
                        .in("ticket.handle.HandleValue", "store(Change)")
                        .replacing("return stored;", "return closing;"),
                Fault.of(
                                Schedules.PERIODS,
                                Violation.COMPLETED_TWICE,
                                "periods: a period that is found recorded is not stored again")
                        .in("ticket.handle.HandleValue", "store(Change)")
                        .around("""
                              if (set.value().equals(found)) {
                                  handle.requireHeld("its value was stored");
                                  change = null;
                                  return CompletableFuture.completedFuture(null);
                              }
                              return right(set);""")
                        .in("ticket.handle.HandleValue", "replaced")
                        .around("found = open.value(); return right(open, value);")
                        .with("private LockValue found;"),
                Fault.of(
                                Schedules.PERIODS,
                                Violation.COMPLETED_TWICE,
                                "periods: an earlier period replaces a later one of the same holder")
                        .in("ticket.handle.HandleValue", "replaced")
                        .body("return new Change(open.token(), value);"),
                firstReadIsUsedAgain(Fault.of(
                        Schedules.PERIODS,
                        Violation.COMPLETED_TWICE,
                        "periods: the period that the process has read before is compared")));
    }

    private static Stream<Fault> opening() {
        return Stream.of(
                Fault.of(
                                Schedules.VALUES,
                                Violation.VALUE_NOT_DOUBTFUL,
                                "values: the holder is answered before its change is certainly open")
                        .in("ticket.handle.HandleValue", "open")
                        .body("""
                              Change opening = new Change(read.nextToken(), LockValue.of(read.bytes(), read.isDoubtful()));
                              end.complete(opening);
                              steps.step(
                                      () -> {
                                          requireSlots();
                                          return partition.openValue(opening.token());
                                      },
                                      done -> {});"""),
                Fault.of(Schedules.VALUES, Violation.VALUE_NOT_DOUBTFUL, "values: a change is not opened")
                        .in("ticket.handle.HandleValue", "open")
                        .replacing(
                                "partition.openValue(opening.token())",
                                "CompletableFuture.<Void>completedFuture(null)"),
                firstReadIsUsedAgain(Fault.of(
                        Schedules.VALUES,
                        Violation.VALUE_LOST,
                        "values: the value that the process has read before is shown")));
    }

    private static Stream<Fault> closing() {
        return Stream.of(
                Fault.of(
                                Schedules.VALUES,
                                Violation.VALUE_NOT_DOUBTFUL,
                                "values: a doubtful value that nobody has set is closed")
                        .in("ticket.handle.HandleValue", "close(Change)")
                        .replacing("open.value().isDoubtful()", "false"),
                Fault.of(
                                Schedules.VALUES,
                                Violation.VALUE_NOT_DOUBTFUL,
                                "values: a holder that was told to stop closes its change")
                        .in("ticket.handle.HandleValue", "close(Change)")
                        .replacing("handle.wasStopped()", "false")
                        .in("ticket.handle.HandleValue", "requireSlots")
                        .replacing("handle.wasStopped()", "false"),
                Fault.of(
                                Schedules.VALUES,
                                Violation.VALUE_NOT_DOUBTFUL,
                                "values: a handle whose lease has run out closes its change")
                        .in("ticket.handle.HandleValue", "close(Change)")
                        .replacing("handle.wasStopped()", "false")
                        .in("ticket.handle.HandleValue", "send")
                        .replacing("requireSlots();", ""),
                Fault.of(Schedules.VALUES, Violation.VALUE_NOT_DOUBTFUL, "values: two changes have one token")
                        .in("ticket.handle.HandleValue", "close()")
                        .replacing("change = null;", ""),
                Fault.of(
                                Schedules.VALUES_WITHOUT_FAULTS,
                                Violation.VALUE_DOUBTFUL_IN_VAIN,
                                "values: the lock is released while its value is being stored")
                        .in("ticket.handle.HandleValue", "closeThen")
                        .body("""
                              if (change != null || !closing.isDone()) {
                                  closing = closing.thenComposeAsync(done -> close(), partition.mailbox());
                              }
                              action.run();"""),
                Fault.of(
                                Schedules.VALUES_WITHOUT_FAULTS,
                                Violation.VALUE_LOST,
                                "values: the value that was set is not stored")
                        .in(
                                "ticket.handle.HandleValue",
                                "set(Change, CompletableFuture<Change>, LockValue, CompletableFuture<Void>)")
                        .replacing("CompletableFuture.completedFuture(new Change(open.token(), value))", "present"),
                Fault.of(
                                Schedules.VALUES_WITHOUT_FAULTS,
                                Violation.VALUE_DOUBTFUL_IN_VAIN,
                                "values: a conversion down does not close the change")
                        .in("ticket.lock.Conversions", "closeValueAndConvertDown")
                        .body("endGivenUp(handle); convertDown(conversion, handle);"),
                Fault.of(
                                Schedules.VALUES_WITHOUT_FAULTS,
                                Violation.VALUE_DOUBTFUL_IN_VAIN,
                                "values: a change that is being opened is not waited for")
                        .in("ticket.handle.HandleValue", "close()")
                        .replacing("present == null", "present == null || !present.isDone()"),
                Fault.of(
                                Schedules.VALUES,
                                Violation.VALUE_NOT_DOUBTFUL,
                                "values: a lock with a minimum time, whose holder is told to stop, closes its change")
                        .in("locker.held.MinimumHold", "abandon")
                        .body("lost.complete(loss);"));
    }

    private static Fault firstReadIsUsedAgain(Fault fault) {
        return fault.in("ticket.table.LockPartition", "readValue")
                .around("""
                              CompletableFuture<StoredValue> first = firstRead;
                              if (first == null || first.isCompletedExceptionally()) {
                                  first = right().toCompletableFuture();
                                  firstRead = first;
                              }
                              return first;""")
                .with("private volatile CompletableFuture<StoredValue> firstRead;");
    }
}

package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.FULL_RINGS;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PARKING;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.RESTORED_REGISTERS;

import io.github.cassandralock.internal.seeded.Fault;
import java.util.stream.Stream;

/** Faults in the parking of messages, and in sending them again (docs/exactly-once.md, section 3). */
final class ParkingMutants {

    private ParkingMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(PARKING, Violation.PARKED_GOOD, "parking: a message is at fault though all others fail, too")
                        .in("handler.ParkingRule", "failed")
                        .replacing("suspicion.isProven(parking, now)", "true"),
                Fault.of(
                                PARKING,
                                Violation.PARKED_GOOD,
                                "parking: a failure counts though what the function depends on went down before it")
                        .in("handler.ParkingRule", "failed")
                        .replacing("suspicion.tried(others.again(trial));", ""),
                Fault.of(PARKING, Violation.NO_PROGRESS, "parking: a round in which no message succeeds ends a proof")
                        .in("handler.OtherMessages", "round")
                        .replacing("results.putAll(again(trial));", ""),
                Fault.of(PARKING, Violation.PARKED_GOOD, "parking: a message is parked at once when it fails again")
                        .in("handler.Suspicion", "areEnough")
                        .body("return failures >= FEWEST_FAILURES;"),
                Fault.of(PARKING, Violation.NO_PROGRESS, "parking: copies that were killed are waited for")
                        .in("handler.CopiesRegister", "isSilent")
                        .body("return false;"),
                Fault.of(PARKING, Violation.NO_PROGRESS, "parking: the message that fails is not compared with others")
                        .in("handler.ParkingRule", "failed")
                        .replacing("others.round(seen, message, trial)", "java.util.Map.of(message, false)"),
                Fault.of(
                                PARKING,
                                Violation.FAILED,
                                "parking: a state that cannot be decoded is a failure of the message")
                        .in("handler.HandlerProtocol", "decide")
                        .replacing("S userState = following.userState(seen.state());", "")
                        .in("handler.HandlerProtocol", "decide")
                        .replacing(
                                "handled(seen, userState, taking.inputs, taking.after)",
                                "handled(seen, following.userState(seen.state()), taking.inputs, taking.after)"),
                Fault.of(PARKING, Violation.DOUBLE, "parking: a message is sent again at each request")
                        .in("handler.ParkedMessages", "sendAgain(long, Optional<String>)")
                        .replacing("record.done(getQueue()).contains(index)", "begun"),
                Fault.of(
                                PARKING,
                                Violation.PARKED_GOOD,
                                "parking: a copy parks what it cannot handle, though others have not failed with it")
                        .in("handler.CopyEntries", "agreeOn")
                        .body("return true;"),
                Fault.of(
                                PARKING,
                                Violation.PARKED_GOOD,
                                "parking: failures of other copies in an outage count after it")
                        .in("handler.CopyEntries", "failuresSince")
                        .body("return Long.MAX_VALUE;"),
                Fault.of(
                                PARKING,
                                Violation.PARKED_GOOD,
                                "parking: a failure weighs as much where no other message succeeds as where one does")
                        .in("handler.CopiesRegister", "agreeOn")
                        .replacing("(anotherSucceeds ? attempts : 1)", "attempts"),
                Fault.of(
                                PARKING,
                                Violation.PARKED_GOOD,
                                "parking: failures of a message that was alone in an outage count after it")
                        .in("handler.Suspicion", "failed")
                        .replacing("!succeedsWithAnother()", "allFail()")
                        .in("handler.Suspicion", "failed")
                        .replacing("lastRoundSucceeded", "others.isEmpty() || lastRoundSucceeded"),
                Fault.of(PARKING, Violation.LOST, "parking: a request that died in the middle is taken for finished")
                        .in("handler.ParkedMessages", "sendAgain(long, Optional<String>)")
                        .replacing("push(record)", "begun ? push(record) : Optional.empty()"),
                Fault.of(PARKING, Violation.LOST, "parking: a message is sent again before that is decided")
                        .in("handler.ParkedMessages", "sendAgain(long, Optional<String>)")
                        .replacing(
                                "fitting(record.beginning(pending(index, inputQueue)), index)",
                                "pushed(record.beginning(pending(index, inputQueue)))")
                        .in("handler.ParkedMessages", "sendAgain(long, Optional<String>)")
                        .replacing("!(again.readConfirmed(record.nextSequence()) instanceof Cell.Absent)", "false")
                        .with("""
                                private SentAgain pushed(SentAgain record) throws InterruptedException {
                                    push(record);
                                    return record;
                                }"""),
                Fault.of(PARKING, Violation.LOST, "parking: a message that found no room counts as sent again")
                        .in("handler.ParkedMessages", "whyFull")
                        .body("return Optional.empty();")
                        .in("handler.ParkedMessages", "push")
                        .around("right(record); return Optional.empty();"),
                Fault.of(PARKING, Violation.LOST, "parking: two messages are sent again under one sequence")
                        .in("handler.SentAgain", "beginning")
                        .body(
                                "return new SentAgain("
                                        + "doneWith(next.queue(), next.index()), Math.max(1, nextSequence), Optional.of(next));")
                        .in("handler.ParkedMessages", "sendAgain(long, Optional<String>)")
                        .replacing("!(again.readConfirmed(record.nextSequence()) instanceof Cell.Absent)", "false"),
                Fault.of(
                                PARKING,
                                Violation.UNREAD_OVERWRITTEN,
                                "parking: the cell of a message that nobody has sent again is free")
                        .in("handler.ParkedMessages", "freeCells")
                        .replacing("record.done(getQueue()).contains(mark)", "mark <= record.done(getQueue()).below()"),
                Fault.of(
                                PARKING,
                                Violation.UNREAD_OVERWRITTEN,
                                "parking: the cell of a message that is being sent again is free")
                        .in("handler.ParkedMessages", "freeCells")
                        .replacing("!record.isPending(getQueue(), mark)", "true"),
                Fault.of(
                                FULL_RINGS,
                                Violation.NO_PROGRESS,
                                "parking: the last cell for messages sent again is not kept for the oldest one")
                        .in("handler.ParkedMessages", "whyFull")
                        .replacing("(oldest ? 0 : 1)", "0"),
                Fault.of(
                                FULL_RINGS,
                                Violation.NO_PROGRESS,
                                "parking: a message waits for a full ring while those sent again are not taken")
                        .in("handler.HandlerProtocol", "isParkingFull")
                        .body("return false;"),
                Fault.of(
                                FULL_RINGS,
                                Violation.NO_PROGRESS,
                                "parking: an old read shows that none of those sent again is left")
                        .in("handler.Taking", "cell")
                        .body("return queue.read(index);"),
                Fault.of(
                                RESTORED_REGISTERS,
                                Violation.LOST,
                                "parking: a register that was restored from a backup is taken for the present one")
                        .in("handler.ParkedMessages", "sendAgain(long, Optional<String>)")
                        .replacing("!(again.readConfirmed(record.nextSequence()) instanceof Cell.Absent)", "false"));
    }
}

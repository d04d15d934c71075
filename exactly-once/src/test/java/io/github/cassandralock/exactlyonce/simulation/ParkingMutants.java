package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.PARKING;

import io.github.cassandralock.internal.seeded.Mutant;
import java.util.stream.Stream;

/** Faults in the parking of messages, and in sending them again (docs/exactly-once.md, section 3). */
final class ParkingMutants {

    private static final String RULE = "handler.ParkingRule";
    private static final String COPIES = "handler.CopiesRegister";
    private static final String AGAIN = "handler.ParkedMessages";

    private ParkingMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(
                Mutant.of(
                        PARKING,
                        Violation.PARKED_GOOD,
                        "parking: a message is at fault though all others fail, too",
                        RULE,
                        "copies.agreeOn(message, suspicion.isProven(parking, now))",
                        "copies.agreeOn(message, true)"),
                Mutant.of(
                        PARKING,
                        Violation.PARKED_GOOD,
                        "parking: a failure counts though what the function depends on went down before it",
                        RULE,
                        "suspicion.tried(others.again(trial));",
                        ""),
                Mutant.of(
                        PARKING,
                        Violation.PARKED_GOOD,
                        "parking: a message is parked at once when it fails again",
                        "handler.Suspicion",
                        "return failures >= Math.max(FEWEST_FAILURES, parking.attempts())"
                                + " && nanos >= parking.minDuration().toNanos();",
                        "return failures >= FEWEST_FAILURES;"),
                Mutant.of(
                        PARKING,
                        Violation.NO_PROGRESS,
                        "parking: copies that were killed are waited for",
                        COPIES,
                        "return sign != null && now - sign.seenAt() >= silence.toNanos();",
                        "return false;"),
                Mutant.of(
                        PARKING,
                        Violation.NO_PROGRESS,
                        "parking: the message that fails is not compared with others",
                        RULE,
                        "suspicion.tried(others.round(seen, message, trial));",
                        "suspicion.tried(java.util.Map.of(message, false));"),
                Mutant.of(
                        PARKING,
                        Violation.FAILED,
                        "parking: a state that cannot be decoded is a failure of the message",
                        "handler.HandlerProtocol",
                        "S userState = userState(seen); HandlerState next; try { next = handled(",
                        "HandlerState next; try { S userState = userState(seen); next = handled("),
                Mutant.of(
                        PARKING,
                        Violation.DOUBLE,
                        "parking: a message is sent again at each request",
                        AGAIN,
                        "} else if (record.done(queue()).contains(index)) {",
                        "} else if (begun) {"));
    }
}

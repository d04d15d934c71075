package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.PARKING;

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
                        .replacing("record.done(queue()).contains(index)", "begun"));
    }
}

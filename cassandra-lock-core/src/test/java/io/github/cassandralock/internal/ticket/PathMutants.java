package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into rule 9 (lock modes, section 5). Those that need another thread between a decision and its execution, or a minimum
 * time, are tested step by step by {@code LockPathsTest}.
 */
final class PathMutants {

    private PathMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(
                                Schedules.PATHS,
                                Violation.NOT_SERVED,
                                "paths: an owner queues for a node that it holds (rule 9)")
                        .in("locker.AlgorithmLocker", "ownerOfNode")
                        .body("return Optional.empty();"),
                Fault.of(
                                Schedules.PATHS,
                                Violation.TWO_HOLDERS,
                                "paths: a node is counted in whichever mode it is held")
                        .in("locker.path.PathNode", "covers")
                        .body("return true;"),
                Fault.of(Schedules.PATHS, Violation.LOST_IN_VAIN, "paths: the first use that ends releases the node")
                        .in("locker.path.PathNode", "end")
                        .replacing("!uses.isEmpty()", "false"),
                Fault.of(
                                Schedules.PATHS,
                                Violation.TWO_HOLDERS,
                                "paths: a node is converted down to what one of its uses needs")
                        .in("locker.path.PathNode", "needed")
                        .body("return uses.isEmpty() ? leftMode : uses.get(uses.size() - 1).mode;"),
                Fault.of(Schedules.PATHS, Violation.TWO_HOLDERS, "paths: a node is used before it is converted up")
                        .in("locker.path.PathNode", "convertUp")
                        .around("call.granted(use); right(call, use);"),
                Fault.of(Schedules.PATHS, Violation.LEFT_BEHIND, "paths: a use whose conversion failed stays")
                        .in("locker.path.PathNode", "convertUp")
                        .replacing("end(use);", ""));
    }
}

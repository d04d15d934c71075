package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into rule 9 (lock modes, section 5). Those that need another thread between a decision and its execution, or a minimum
 * time, are tested step by step by {@code LockPathsTest}.
 */
final class PathMutants {

    private PathMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(
                Mutant.of(
                        Schedules.PATHS,
                        Violation.NOT_SERVED,
                        "paths: an owner queues for a node that it holds (rule 9)",
                        "locker.AlgorithmLocker",
                        "return request.path().flatMap(path -> caller.owner());",
                        "return Optional.empty();"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.TWO_HOLDERS,
                        "paths: a node is counted in whichever mode it is held",
                        "locker.path.PathNode",
                        "return (state == State.LOWERING ? lowest : mode(held)).covers(mode);",
                        "return true;"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.LOST_IN_VAIN,
                        "paths: the first use that ends releases the node",
                        "locker.path.PathNode",
                        "if (!uses.isEmpty()) {",
                        "if (false) {"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.TWO_HOLDERS,
                        "paths: a node is converted down to what one of its uses needs",
                        "locker.path.PathNode",
                        "return uses.stream().map(use -> use.mode).reduce(leftMode, LockMode::leastCovering);",
                        "return uses.isEmpty() ? leftMode : uses.get(uses.size() - 1).mode;"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.TWO_HOLDERS,
                        "paths: a node is used before it is converted up",
                        "locker.path.PathNode",
                        "LockMode needed = needed(); attempt(",
                        "call.granted(use); LockMode needed = needed(); attempt("),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.LEFT_BEHIND,
                        "paths: a use whose conversion failed stays",
                        "locker.path.PathNode",
                        "end(use); call.notGranted(",
                        "call.notGranted("));
    }
}

package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.simulation.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults planted into rule 9 (lock modes, section 5). */
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
                        "locker.PathNode",
                        "boolean covered = mode(held).covers(mode);",
                        "boolean covered = true;"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.LOST_IN_VAIN,
                        "paths: the first use that ends releases the node",
                        "locker.PathNode",
                        "released = uses.isEmpty() ? use.held : null;",
                        "released = use.held;"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.TWO_HOLDERS,
                        "paths: a node is converted down to what one of its uses needs",
                        "locker.PathNode",
                        "return uses.stream().map(use -> use.mode).reduce(LockMode.NULL, LockMode::leastCovering);",
                        "return uses.get(uses.size() - 1).mode;"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.TWO_HOLDERS,
                        "paths: a node is used before it is converted up",
                        "locker.PathNode",
                        "return new Answer.Begun(raise(use, held, convert));",
                        "raise(use, held, convert); return new Answer.Begun(new Counted(use));"),
                Mutant.of(
                        Schedules.PATHS,
                        Violation.LEFT_BEHIND,
                        "paths: a use whose conversion failed stays",
                        "locker.PathNode",
                        "} else { use.release(); } answer(",
                        "} answer("));
    }
}

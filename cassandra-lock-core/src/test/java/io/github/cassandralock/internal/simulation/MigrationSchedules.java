package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** Schedules of fleets that migrate between the algorithms {@code ticket} and {@code majority}. Each returns the violations. */
final class MigrationSchedules {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int ROUNDS = 6;

    /**
     * A migration between the two algorithms, in one of its phases.
     *
     * @param settled of the processes that use one algorithm alone
     * @param migrating of those that use both
     */
    private record Phase(SimulatedAlgorithm settled, SimulatedAlgorithm migrating) {

        static Phase any(SplittableRandom dice) {
            boolean toMajority = dice.nextBoolean();
            SimulatedAlgorithm from = toMajority ? SimulatedAlgorithm.TICKET : SimulatedAlgorithm.MAJORITY;
            SimulatedAlgorithm to = toMajority ? SimulatedAlgorithm.MAJORITY : SimulatedAlgorithm.TICKET;
            return new Phase(dice.nextBoolean() ? from : to, from.migratingTo(to));
        }
    }

    private MigrationSchedules() {}

    /** One takes the lock after the other: some with one algorithm, some with both. Each holder asks for its token. */
    static List<String> tokens(long seed) {
        SplittableRandom dice = new SplittableRandom(seed);
        Phase phase = Phase.any(dice);
        FleetWorld world = new FleetWorld(seed, false, List.of(phase.settled(), phase.migrating()));
        List<String> violations = new ArrayList<>();
        long last = 0;
        for (int round = 0; round < ROUNDS; round++) {
            FleetWorld.Member member = world.members().get(dice.nextInt(2));
            Optional<Grant> grant = granted(world, member);
            if (grant.isEmpty()) {
                violations.add(Violation.NOT_SERVED.at(world.time().now(), "a process was not served"));
                return violations;
            }
            long token = token(world, grant.get());
            if (token != 0 && token <= last) {
                violations.add(Violation.TOKEN_ORDER.at(world.time().now(), token + " after " + last));
            }
            last = Math.max(last, token);
            grant.get().release();
            world.time().run(Duration.ofMillis(dice.nextLong(1, 2_000)));
        }
        return violations;
    }

    private static Optional<Grant> granted(FleetWorld world, FleetWorld.Member member) {
        CompletableFuture<Optional<Grant>> outcome =
                world.acquire(member).getOutcome().toCompletableFuture();
        world.time().runUntil(outcome::isDone, SOON);
        return outcome.isDone() && !outcome.isCompletedExceptionally() ? outcome.join() : Optional.empty();
    }

    /** Zero if it is shown none. */
    private static long token(FleetWorld world, Grant grant) {
        try {
            CompletableFuture<Long> token = grant.reserveFencingToken().toCompletableFuture();
            world.time().runUntil(token::isDone, SOON);
            return token.isDone() && !token.isCompletedExceptionally() ? token.join() : 0;
        } catch (UnsupportedOperationException e) {
            return 0;
        }
    }

    private static List<String> twoHolders(FleetWorld world) {
        return world.violations().stream()
                .map(text -> Violation.TWO_HOLDERS.at(world.time().now(), text))
                .toList();
    }

    /** A holder of both halves loses the one that another process uses. */
    static List<String> halfLost(long seed) {
        SplittableRandom dice = new SplittableRandom(seed);
        Phase phase = Phase.any(dice);
        FleetWorld world = new FleetWorld(seed, false, List.of(phase.settled(), phase.migrating()));
        FleetWorld.Member migrating = world.members().get(1);
        List<String> violations = new ArrayList<>();
        if (granted(world, migrating).isEmpty()) {
            violations.add(Violation.NOT_SERVED.at(world.time().now(), "the process that migrates was not served"));
        }
        world.time().run(Duration.ofMillis(dice.nextLong(1, 2_000)));
        if (phase.settled() == SimulatedAlgorithm.MAJORITY) {
            world.cutClusters(migrating);
        } else {
            world.closeSessions(migrating, SOON);
        }
        if (granted(world, world.members().get(0)).isEmpty()) {
            violations.add(Violation.NOT_SERVED.at(world.time().now(), "the other process was not served"));
        }
        violations.addAll(twoHolders(world));
        return violations;
    }

    /** Processes of which some use one algorithm, and some both, take the lock at the same time. */
    static List<String> holders(long seed) {
        Phase phase = Phase.any(new SplittableRandom(seed));
        FleetWorld world = new FleetWorld(
                seed, true, List.of(phase.settled(), phase.migrating(), phase.settled(), phase.migrating()));
        List<FleetWorld.Worker> workers = world.members().stream()
                .map(member -> world.new Worker(member, 4, Duration.ofMillis(800)))
                .toList();
        workers.forEach(FleetWorld.Worker::start);
        world.time().runUntil(() -> workers.stream().allMatch(FleetWorld.Worker::isDone), Duration.ofMinutes(20));
        List<String> violations = new ArrayList<>(twoHolders(world));
        if (!workers.stream().allMatch(FleetWorld.Worker::isDone)) {
            violations.add(Violation.NOT_SERVED.at(world.time().now(), "a process was not served any more"));
        }
        return violations;
    }
}

package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Two processes, the first of which has taken the lock at the instant zero. */
final class HoldWorld {

    private static final Duration SOON = Duration.ofMillis(500);

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Algorithm {
        TICKET(SimulatedAlgorithm.TICKET),
        QUEUE(SimulatedAlgorithm.QUEUE),
        SHADOW(SimulatedAlgorithm.SHADOW),
        MIGRATION(SimulatedAlgorithm.QUEUE.migratingTo(SimulatedAlgorithm.TICKET));

        private final SimulatedAlgorithm simulated;

        Algorithm(SimulatedAlgorithm simulated) {
            this.simulated = simulated;
        }
    }

    final FleetWorld fleet;
    final List<SimulatedLocker> lockers = new ArrayList<>();
    final List<String> losses = new ArrayList<>();
    private final long begin;
    final RemoteLock lock;

    HoldWorld(Algorithm algorithm, LockRequest request) {
        fleet = new FleetWorld(4711, false, List.of(algorithm.simulated, algorithm.simulated));
        fleet.members()
                .forEach(member -> lockers.add(new SimulatedLocker(
                        member.algorithm(), FleetWorld.LEASE, member.process(), Duration.ZERO, grant -> {})));
        run(Duration.ofSeconds(1));
        CompletableFuture<RemoteLock> call = lockers.get(0).getLockAsync(request);
        fleet.time().runUntil(call::isDone, SOON);
        begin = fleet.time().now();
        lock = call.join();
        lock.onLost(loss -> losses.add(loss.text()));
    }

    void run(Duration duration) {
        fleet.time().run(duration);
    }

    void runUntil(Duration sinceTheGrant) {
        run(sinceTheGrant.minus(sinceTheGrant()));
    }

    Duration sinceTheGrant() {
        return Duration.ofNanos(fleet.time().now() - begin);
    }

    boolean isFreeFor(int process) {
        CompletableFuture<Optional<RemoteLock>> call =
                lockers.get(process).tryGetLockAsync(LockRequest.of(FleetWorld.LOCK));
        fleet.time().runUntil(call::isDone, Duration.ofSeconds(5));
        call.join().ifPresent(RemoteLock::closeAsync);
        return call.join().isPresent();
    }

    /** How long after the first grant another process, which waits from now on, has the lock. */
    Duration grantedToTheOther() {
        CompletableFuture<RemoteLock> call = lockers.get(1).getLockAsync(LockRequest.of(FleetWorld.LOCK));
        fleet.time().runUntil(call::isDone, Duration.ofMinutes(5));
        assertThat(call).as("the call of the other process").isCompleted();
        return sinceTheGrant();
    }

    Duration timeToClose() {
        Duration from = sinceTheGrant();
        CompletableFuture<Void> end = lockers.get(0).closeAsync().toCompletableFuture();
        fleet.time().runUntil(end::isDone, Duration.ofMinutes(5));
        assertThat(end).as("the end of the locker").isCompleted();
        return sinceTheGrant().minus(from);
    }
}

package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.SimulatedLocker;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Operations and times of the algorithm {@code ticket} without faults, apart from processes that die. */
public final class TicketMeasurements {

    private TicketMeasurements() {}

    /** What one lock cost on average, all operations of all processes counted. */
    public record Cost(double operationsPerLock, double millisPerLock) {}

    /**
     * Processes of one thread take the lock a number of times each, one after the other without a pause.
     *
     * @param longestWork under the lock
     */
    public static Cost cost(long seed, int processes, int rounds, Duration longestWork) {
        return cost(TicketWorld.quick(seed, NoticeFaults.OFF, processes, longestWork), rounds);
    }

    /**
     * The cost without work under the lock, of processes that exchange notices.
     *
     * @param lossRate the share of notices that never arrive
     */
    public static Cost costWithNotices(long seed, double lossRate, int processes, int rounds) {
        NoticeFaults losses = NoticeFaults.NONE.withLossRate(lossRate);
        return cost(TicketWorld.quick(seed, losses, processes, Duration.ZERO), rounds);
    }

    /**
     * The cost where two processors do all the work of all processes and replicas, half a millisecond for each message, so that
     * each read makes all others slower. The holders do no work under the lock.
     */
    public static Cost costOnTwoProcessors(long seed, int processes, int rounds) {
        TicketWorld world = TicketWorld.quiet(seed, processes);
        world.network()
                .shareProcessors(
                        new SimulatedProcessors(world.time(), world.random().split(), 2, Duration.ofNanos(500_000)));
        return cost(world, rounds);
    }

    private static Cost cost(TicketWorld world, int rounds) {
        world.openSessions();
        long operationsBefore = world.operations();
        long before = world.time().now();
        world.members().forEach(member -> member.addCaller(world, rounds));
        world.startCallers();
        world.time().runUntil(world::isDone, Duration.ofHours(1));
        double locks = (double) world.members().size() * rounds;
        return new Cost(
                (world.operations() - operationsBefore) / locks, (world.time().now() - before) / 1e6 / locks);
    }

    /** One process takes locks by one call, and nobody else requests them. The time is the time until it has all. */
    public static Cost together(long seed, int locks) {
        TicketWorld world = TicketWorld.quiet(seed, 1);
        world.openSessions();
        TicketMember member = world.members().get(0);
        SimulatedLocker locker =
                new SimulatedLocker(member.algorithm(), world.lease(), member.process(), Duration.ZERO, grant -> {});
        long operationsBefore = world.operations();
        long before = world.time().now();
        CompletableFuture<RemoteLocks> call = locker.getLocksAsync(MultiLockRequest.of(
                IntStream.range(0, locks).mapToObj(lock -> "lock " + lock).toList()));
        world.time().runUntil(call::isDone, TicketWorld.PATIENCE);
        double millis = (world.time().now() - before) / 1e6;
        CompletableFuture<Void> closed = call.join().closeAsync();
        world.time().runUntil(closed::isDone, TicketWorld.PATIENCE);
        return new Cost((world.operations() - operationsBefore) / (double) locks, millis / locks);
    }

    /**
     * What it costs that threads of one process wait while another process holds the lock.
     *
     * @param slots rows of the lock while they wait
     * @param operations sent while they wait
     * @param served the numbers of the threads, in the order in which they got the lock afterwards
     */
    public record Waiting(int slots, long operations, List<Integer> served) {}

    /** Many threads of one process wait for some time, and are served then. */
    public static Waiting waiting(long seed, int threads, Duration howLong) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), 2);
        Attempt holder = world.acquire(world.members().get(0));
        world.time().run(Duration.ofSeconds(1));
        List<Integer> served = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            world.acquire(world.members().get(1)).getOutcome().thenAccept(grant -> {
                served.add(number);
                grant.orElseThrow().release();
            });
        }
        world.time().run(Duration.ofSeconds(1));
        long before = world.operations();
        world.time().run(howLong);
        long operations = world.operations() - before;
        int slots = world.slots().everything(TicketWorld.LOCK).slots().size();
        holder.getOutcome().thenAccept(grant -> grant.orElseThrow().release());
        world.time().runUntil(() -> served.size() == threads, TicketWorld.PATIENCE);
        return new Waiting(slots, operations, served);
    }

    /**
     * Processes queue up behind a holder, one after the other, and the holder and the first of them die all at once.
     *
     * @param dead how many die, the holder included
     * @return how long it takes from then until the first of the others has the lock
     */
    public static Duration untilServedAfterDeathOf(long seed, int dead, int processes) {
        return untilServed(new TicketWorld(seed, FaultModel.quick(Duration.ZERO), processes), dead);
    }

    /** The time of {@link #untilServedAfterDeathOf} among processes that exchange notices. */
    public static Duration untilServedWithNoticesAfterDeathOf(long seed, int dead, int processes) {
        return untilServed(new TicketWorld(seed, FaultModel.quick(Duration.ZERO), NoticeFaults.NONE, processes), dead);
    }

    private static Duration untilServed(TicketWorld world, int dead) {
        List<TicketMember> served = new ArrayList<>();
        for (TicketMember member : world.members()) {
            world.acquire(member).getOutcome().thenAccept(grant -> served.add(member));
            world.time().run(Duration.ofMillis(100));
        }
        world.members().subList(0, dead).forEach(member -> member.process().kill());
        long diedAt = world.time().now();
        world.time().runUntil(() -> served.contains(world.members().get(dead)), TicketWorld.PATIENCE);
        return Duration.ofNanos(world.time().now() - diedAt);
    }

    /**
     * One process dies while it holds the lock, and the others wait for it.
     *
     * @return how many operations there are from then until one of the others has the lock
     */
    public static long operationsUntilServedAfterDeathOfTheHolder(long seed, int processes) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), processes);
        List<TicketMember> served = new ArrayList<>();
        for (TicketMember member : world.members()) {
            world.acquire(member).getOutcome().thenAccept(grant -> served.add(member));
            world.time().run(Duration.ofMillis(100));
        }
        world.members().get(0).process().kill();
        long before = world.operations();
        world.time().runUntil(() -> served.size() > 1, TicketWorld.PATIENCE);
        world.time().run(FaultModel.LEASE);
        return world.operations() - before;
    }

    /**
     * Processes queue up and die all at once, and one more tries again and again.
     *
     * @return how long it takes from then until it has the lock
     */
    public static Duration untilTriedWithSuccessAfterDeathOf(long seed, int dead) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), dead + 1);
        List<TicketMember> dying = world.members().subList(0, dead);
        for (TicketMember member : dying) {
            world.acquire(member);
            world.time().run(Duration.ofMillis(100));
        }
        dying.forEach(member -> member.process().kill());
        long diedAt = world.time().now();
        boolean[] served = new boolean[1];
        while (!served[0] && world.time().now() - diedAt < TicketWorld.PATIENCE.toNanos()) {
            world.tryAcquire(world.members().get(dead))
                    .getOutcome()
                    .thenAccept(grant -> served[0] |= grant.isPresent());
            world.time().run(Duration.ofMillis(500));
        }
        return Duration.ofNanos(world.time().now() - diedAt);
    }

    /**
     * A holder dies, and two processes with notices wait, the second for less long. The first of them evicts it, gets the lock, and
     * releases it at once.
     *
     * @return how long it takes from this release until the second one has the lock
     */
    public static Duration handOverAfterACrash(long seed) {
        TicketWorld world = TicketWorld.quietWithNotices(seed, 3);
        List<CompletableFuture<Optional<Grant>>> grants = new ArrayList<>();
        for (TicketMember member : world.members()) {
            grants.add(world.acquire(member).getOutcome().toCompletableFuture());
            world.time().run(Duration.ofSeconds(3));
        }
        world.members().get(0).process().kill();
        world.time().runUntil(grants.get(1)::isDone, TicketWorld.PATIENCE);
        long releasedAt = world.time().now();
        grants.get(1).join().orElseThrow().release();
        world.time().runUntil(grants.get(2)::isDone, TicketWorld.PATIENCE);
        return Duration.ofNanos(world.time().now() - releasedAt);
    }

    /**
     * Many processes with notices take the lock in turn. Then the last but one in the queue dies, and no process comes back.
     *
     * @param refused whether the last one can detect that the dead one is not reached
     * @return how long the lock is idle until the last one has it
     */
    public static Duration idleAfterADeathInTheQueue(long seed, int processes, Duration work, boolean refused) {
        TicketWorld world = TicketWorld.quietWithNotices(seed, processes);
        if (refused) {
            world.notices().deadRefuse();
        }
        world.openSessions();
        Turns turns = new Turns(world, work);
        world.members().forEach(turns::begin);
        world.time().runUntil(() -> turns.granted.size() > 3 * processes, TicketWorld.PATIENCE);
        List<Slot> queue = world.slots().everything(TicketWorld.LOCK).slots().stream()
                .sorted(Comparator.comparingLong(Slot::ticket))
                .toList();
        TicketMember last = ownerOf(world, queue.get(queue.size() - 1));
        turns.goOn = false;
        turns.granted.clear();
        ownerOf(world, queue.get(queue.size() - 2)).process().kill();
        world.time().runUntil(() -> turns.granted.contains(last), TicketWorld.PATIENCE);
        return Duration.ofNanos(world.time().now() - turns.releasedAt);
    }

    private static TicketMember ownerOf(TicketWorld world, Slot slot) {
        return world.members().stream()
                .filter(member -> member.sessionLog().owns(slot.session()))
                .findFirst()
                .orElseThrow();
    }

    /** Processes that take the lock again and again. */
    private static final class Turns {

        private final TicketWorld world;
        private final Duration work;
        private final List<TicketMember> granted = new ArrayList<>();
        private boolean goOn = true;
        private long releasedAt;

        private Turns(TicketWorld world, Duration work) {
            this.world = world;
            this.work = work;
        }

        private void begin(TicketMember member) {
            world.acquire(member).getOutcome().thenAccept(grant -> {
                granted.add(member);
                member.process().after(work).thenRun(() -> {
                    releasedAt = world.time().now();
                    grant.orElseThrow().release();
                    if (goOn) {
                        begin(member);
                    }
                });
            });
        }
    }

    /**
     * One process takes the lock again and again, with short pauses, and keeps it in between. Another process, from which it
     * receives no notices, tries the lock now and then.
     *
     * @return how many of the tries were granted
     */
    public static int triesGrantedBesideAProcessThatKeeps(long seed, int tries) {
        TicketWorld world = TicketWorld.quick(seed, NoticeFaults.NONE.withLossRate(1), 2, Duration.ZERO);
        world.openSessions();
        TicketMember keeping = world.members().get(0);
        takeWithPauses(world, keeping);
        int[] granted = new int[1];
        for (int round = 0; round < tries; round++) {
            world.tryAcquire(world.members().get(1))
                    .getOutcome()
                    .thenAccept(grant -> grant.ifPresent(got -> {
                        granted[0]++;
                        got.release();
                    }));
            world.time().run(Duration.ofMillis(500));
        }
        keeping.process().kill();
        return granted[0];
    }

    private static void takeWithPauses(TicketWorld world, TicketMember member) {
        world.acquire(member).getOutcome().thenAccept(grant -> {
            grant.orElseThrow().release();
            Duration pause = Duration.ofMillis(world.random().nextLong(1, 20));
            member.process().after(pause).thenRun(() -> takeWithPauses(world, member));
        });
    }
}

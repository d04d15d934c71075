package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Schedules that bring one situation of a lock with permits about, again and again; the seed decides its instants. Each method
 * returns what should not have happened.
 */
final class PermitSituations {

    private PermitSituations() {}

    /**
     * Some more processes try at once for a permit than there are, and some are farther away than others: as many get one as there
     * are.
     */
    static List<String> tryAtOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int permits = random.nextInt(2, 5);
        int processes = permits + random.nextInt(1, 4);
        TicketWorld world = new TicketWorld(seed, FaultModel.slow(), processes);
        List<Attempt> tries = world.members().stream()
                .map(member -> world.tryAcquirePermit(member, permits))
                .toList();
        world.time().run(Duration.ofSeconds(2));
        long open = tries.stream()
                .filter(attempt -> !attempt.getOutcome().toCompletableFuture().isDone())
                .count();
        long granted = granted(tries.stream());
        return granted == permits && open == 0
                ? List.of()
                : List.of(Violation.PERMIT_UNUSED.at(
                        world.time().now(),
                        granted + " of " + processes + " got one of " + permits + " permits, " + open + " still try"));
    }

    private static boolean isGranted(Attempt attempt) {
        CompletableFuture<Optional<Grant>> outcome = attempt.getOutcome().toCompletableFuture();
        return outcome.isDone()
                && !outcome.isCompletedExceptionally()
                && outcome.join().isPresent();
    }

    private static long granted(Stream<Attempt> attempts) {
        return attempts.filter(PermitSituations::isGranted).count();
    }

    /**
     * A process dies while it holds a permit, and others take short turns with the rest, so that no one waits for long. Its permit is
     * free again after a few leases.
     */
    static List<String> deadHolder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TicketWorld world = besideADeadHolder(seed, Duration.ofMillis(30), random);
        world.time().run(FaultModel.LEASE.multipliedBy(4));
        return world.slots().everything(TicketWorld.LOCK).slots().stream()
                .filter(slot -> world.members().get(0).sessionLog().owns(slot.session()))
                .map(slot -> Violation.PERMIT_UNUSED.at(world.time().now(), "a dead process still has " + slot))
                .toList();
    }

    /** A holder of a permit dies. Others hold the lock for long, so that a caller waits for long. */
    static List<String> deadHolderBesideWaiters(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TicketWorld world = besideADeadHolder(seed, Duration.ofSeconds(2), random);
        new PermitWatch(world.time(), world.checker(), FaultModel.LEASE).begin();
        world.time().run(FaultModel.LEASE.multipliedBy(10));
        return world.checker().violations();
    }

    private static TicketWorld besideADeadHolder(long seed, Duration longestWork, SplittableRandom random) {
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.NONE : NoticeFaults.OFF;
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(longestWork), noticeFaults, random.nextInt(3, 6));
        int permits = random.nextInt(2, 4);
        world.habits(CallerHabits.PLAIN.permits(List.of(permits)));
        TicketMember dies = world.members().get(0);
        grant(world, world.acquirePermit(dies, permits));
        dies.process().kill();
        for (TicketMember member : world.members().subList(1, world.members().size())) {
            member.addCaller(world, 1_000_000);
            member.startCallers();
        }
        return world;
    }

    private static Grant grant(TicketWorld world, Attempt attempt) {
        world.time().runUntil(attempt.getOutcome().toCompletableFuture()::isDone, TicketWorld.PATIENCE);
        return attempt.getOutcome().toCompletableFuture().join().orElseThrow();
    }

    /**
     * Two processes hold both permits. They release them and come back at once, with promised tickets. Neither has read the
     * ticket of the other process. What one of them sends to the replicas is kept for a while. A third process waits, or has given
     * up and asks again. Another thread of it may be there, in a mode without conflicts, so that it still has the facts about them.
     * Notices may end meanwhile. All three then hold what they get.
     */
    static List<String> comeBack(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), NoticeFaults.NONE, 3);
        world.openSessions();
        SimulatedTime time = world.time();
        List<Grant> held = Stream.of(0, 1)
                .map(number -> grant(world, permit(world, number)))
                .toList();
        boolean asksAgain = random.nextBoolean();
        if (random.nextBoolean()) {
            grant(world, world.acquire(world.members().get(2), LockMode.NULL));
        }
        Attempt third = permit(world, 2);
        time.run(Duration.ofMillis(random.nextLong(5, 30)));
        if (asksAgain) {
            third.giveUp();
            time.run(Duration.ofMillis(random.nextLong(1, 5)));
        }
        List<Attempt> attempts = new ArrayList<>(comeBack(world, held, random.nextInt(2)));
        time.run(Duration.ofMillis(1));
        if (random.nextBoolean()) {
            world.notices().fallSilent();
        }
        time.run(Duration.ofMillis(random.nextLong(10)));
        attempts.add(asksAgain ? permit(world, 2) : third);
        time.run(Duration.ofMillis(random.nextLong(5, 400)));
        world.network().holdBack(null);
        world.network().letThrough();
        time.run(Duration.ofSeconds(2));
        long holders = granted(attempts.stream());
        return holders <= 2
                ? List.of()
                : List.of(Violation.TWO_HOLDERS.at(time.now(), holders + " hold a lock with two permits"));
    }

    private static Attempt permit(TicketWorld world, int number) {
        return world.acquirePermit(world.members().get(number), 2);
    }

    private static List<Attempt> comeBack(TicketWorld world, List<Grant> held, int first) {
        world.network().holdBack(world.members().get(0).process());
        return Stream.of(first, 1 - first)
                .map(number -> {
                    held.get(number).release();
                    return permit(world, number);
                })
                .toList();
    }

    /**
     * The holders of all permits had tickets, and others wait. When a holder leaves, whichever it is, the next one in the queue has
     * its permit after a few notices.
     */
    static List<String> inTurn(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int permits = random.nextInt(2, 5);
        int waiters = random.nextInt(1, permits + 1);
        TicketWorld world =
                new TicketWorld(seed, FaultModel.quick(Duration.ZERO), NoticeFaults.NONE, permits + waiters + 1);
        world.openSessions();
        Grant alone = grant(world, world.acquire(world.members().get(0)));
        List<Attempt> holders = queued(world, 1, permits, permits, random);
        alone.release();
        List<Grant> held = new ArrayList<>(
                holders.stream().map(holder -> grant(world, holder)).toList());
        List<Attempt> waiting = queued(world, 1 + permits, waiters, permits, random);
        world.time().run(Duration.ofMillis(random.nextLong(50, 500)));
        for (Attempt next : waiting) {
            held.remove(random.nextInt(held.size())).release();
            world.time().runUntil(next.getOutcome().toCompletableFuture()::isDone, Duration.ofMillis(10));
            if (!isGranted(next)) {
                return List.of(Violation.PERMIT_UNUSED.at(
                        world.time().now(),
                        "the next one in the queue does not have the permit of a holder that left"));
            }
        }
        return List.of();
    }

    /** So many members, from this one on, request a permit one after the other. */
    private static List<Attempt> queued(
            TicketWorld world, int first, int members, int permits, SplittableRandom random) {
        List<Attempt> attempts = new ArrayList<>();
        for (TicketMember member : world.members().subList(first, first + members)) {
            attempts.add(world.acquirePermit(member, permits));
            world.time().run(Duration.ofMillis(random.nextLong(10, 30)));
        }
        return attempts;
    }
}

package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.GrantedSlots;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Schedules that bring one situation about, again and again; the seed decides its instants. Each method returns what should not
 * have happened.
 */
final class TicketSituations {

    private TicketSituations() {}

    /**
     * The holder cannot renew its session for more than half a lease, is heard for a while, and cannot renew it again. The
     * first renewal may have arrived without an answer.
     */
    static List<String> renewalsSentAgain(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.slowAnswers(), 2);
        SimulatedProcess holder = world.members().get(0).process();
        SplittableRandom random = world.random();
        long cut = 1_000 * random.nextLong(1, 3) + random.nextLong(300);
        long heard = cut + random.nextLong(1_200, 1_700);
        long cutAgain = heard + random.nextLong(100, 900);
        world.faults().cutOff(SimulatedSessions.TABLE, holder, cut, heard);
        world.faults().cutOff(SimulatedSessions.TABLE, holder, cutAgain, cutAgain + 6_000);
        return startedOneAfterTheOther(world, 2, Duration.ofMillis(500));
    }

    /**
     * One process waits between two others. It cannot write when it has drawn its ticket, is heard for long enough to refresh
     * its slot, then for long enough to write the ticket once more, and not again before the slot expires.
     */
    static List<String> writesSentAgain(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.longTimeouts(), 3);
        SimulatedProcess cutOff = world.members().get(1).process();
        world.faults().cutOff(cutOff, 101, 115, 300, 301);
        world.faults().cutOff(cutOff, 2_600, 3_200, 4_800, 5_200);
        world.faults().cutOff(cutOff, 5_200, 6_000, 9_000, 11_000);
        return startedOneAfterTheOther(world, 1, Duration.ofMillis(100));
    }

    private static List<String> startedOneAfterTheOther(TicketWorld world, int rounds, Duration pause) {
        for (TicketMember member : world.members()) {
            member.addCaller(world, rounds);
            world.time().at(pause.multipliedBy(member.number()), member::startCallers);
        }
        return world.violationsToTheEnd();
    }

    /**
     * Messages get lost, and replicas lose their power now and then, one at a time, and with it what was written to them
     * within the last second, as Cassandra does with {@code commitlog_sync: periodic}.
     */
    static List<String> lostSeconds(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.lossy(), 3);
        world.slots().remember();
        for (int loss = 1; loss <= 10; loss++) {
            int replica = world.random().nextInt(3);
            world.time().at(Duration.ofSeconds(loss), () -> world.slots().forget(replica, Duration.ofSeconds(1)));
        }
        for (TicketMember member : world.members()) {
            member.addCaller(world, 10);
            member.startCallers();
        }
        return world.violationsToTheEnd();
    }

    /**
     * Two processes exchange notices. One of them holds the lock once, and its release cannot be written for a while. The second
     * process receives its notice, takes the lock, comes back, and reads that the first one's slot is as it was. At some time
     * notices end for good.
     */
    static List<String> lateReleases(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ofMillis(40)), NoticeFaults.NONE, 2);
        world.openSessions();
        TicketMember first = world.members().get(0);
        TicketMember second = world.members().get(1);
        first.addCaller(world, 1);
        second.addCaller(world, 3);
        first.startCallers();
        world.time().at(Duration.ofMillis(4), second::startCallers);
        world.faults().cutOff(SimulatedSlots.TABLE, first.process(), 8, 300);
        world.time().at(Duration.ofMillis(world.random().nextLong(20, 120)), world.notices()::fallSilent);
        return world.violationsToTheEnd();
    }

    /**
     * A holder dies, and another process requests the lock again and again. It gives up each time before it has waited for a tenth
     * of a lease, after which it would watch the holder. It must have the lock within two leases.
     */
    static List<String> impatience(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TicketWorld world = new TicketWorld(seed, FaultModel.quick(Duration.ZERO), 2);
        SimulatedTime time = world.time();
        world.acquire(world.members().get(0));
        time.run(Duration.ofMillis(random.nextLong(50, 2_000)));
        world.members().get(0).process().kill();
        long limit = time.now() + 2 * FaultModel.LEASE.toNanos();
        boolean[] served = new boolean[1];
        while (!served[0] && time.now() < limit) {
            Attempt attempt = world.acquire(world.members().get(1));
            attempt.getOutcome().thenAccept(grant -> served[0] = true);
            time.run(FaultModel.LEASE.dividedBy(random.nextLong(11, 60)));
            attempt.giveUp();
            time.run(Duration.ofMillis(1));
        }
        return served[0]
                ? List.of()
                : List.of(Violation.NOT_SERVED.at(time.now(), "calls that give up soon are never served"));
    }

    /**
     * Processes queue up behind a holder, which dies at once with most of them. The others release the lock as soon as they
     * have it. The last one in the queue must have the lock within three leases.
     */
    static List<String> manyDeaths(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.NONE : NoticeFaults.OFF;
        TicketWorld world =
                new TicketWorld(seed, FaultModel.quick(Duration.ZERO), noticeFaults, random.nextInt(30, 60));
        SimulatedTime time = world.time();
        List<TicketMember> inOrder = world.members();
        TicketMember last = inOrder.get(inOrder.size() - 1);
        List<TicketMember> served = new ArrayList<>();
        for (TicketMember member : inOrder) {
            Attempt attempt = world.acquire(member);
            time.run(Duration.ofMillis(random.nextLong(10, 100)));
            if (member.number() > 0) {
                attempt.getOutcome().thenAccept(grant -> {
                    served.add(member);
                    grant.orElseThrow().release();
                });
            }
        }
        double share = random.nextDouble(0.5, 1);
        inOrder.subList(0, inOrder.size() - 1).stream()
                .filter(member -> member.number() == 0 || random.nextDouble() < share)
                .forEach(member -> member.process().kill());
        time.runUntil(() -> served.contains(last), FaultModel.LEASE.multipliedBy(3));
        return served.contains(last)
                ? List.of()
                : List.of(Violation.NOT_SERVED.at(time.now(), "a waiter behind many dead ones waits for three leases"));
    }

    /** Several processes try at once, and some are farther away than others: exactly one of them must get the lock. */
    static List<String> tryAtOnce(long seed) {
        TicketWorld world = new TicketWorld(seed, FaultModel.slow(), 5);
        List<CompletableFuture<Optional<Grant>>> outcomes = world.members().stream()
                .map(member -> world.tryAcquire(member).getOutcome().toCompletableFuture())
                .toList();
        world.time().run(Duration.ofSeconds(2));
        long open = outcomes.stream().filter(outcome -> !outcome.isDone()).count();
        long granted = outcomes.stream()
                .filter(outcome -> outcome.isDone() && outcome.join().isPresent())
                .count();
        return granted == 1 && open == 0
                ? List.of()
                : List.of(Violation.NOT_SERVED.at(
                        world.time().now(), granted + " of five got the lock, " + open + " still try"));
    }

    /**
     * A holder converts its handle, and gives that up while another thread runs the lock's tasks. The tasks that decide the conversion
     * may be among those that wait meanwhile.
     */
    static List<String> conversionsGivenUp(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TicketWorld world = random.nextBoolean() ? TicketWorld.quiet(seed, 1) : TicketWorld.quietWithNotices(seed, 1);
        List<LockMode> modes = List.of(LockMode.values());
        LockMode before = modes.get(random.nextInt(modes.size()));
        LockMode target = modes.get(random.nextInt(modes.size()));
        CompletableFuture<Optional<Grant>> granted =
                world.acquire(world.members().get(0), before).getOutcome().toCompletableFuture();
        world.time().runUntil(granted::isDone, TicketWorld.PATIENCE);
        Grant grant = granted.join().orElseThrow();
        if (before.covers(LockMode.PROTECTED_WRITE) && random.nextBoolean()) {
            grant.writeValue(SimulatedValue.bytes(1));
            world.time().run(Duration.ofSeconds(1));
        }
        return givenUp(world.time(), grant, before, target, random);
    }

    private static List<String> givenUp(
            SimulatedTime time, Grant grant, LockMode before, LockMode target, SplittableRandom random) {
        List<Attempt> begun = new ArrayList<>();
        List<LockMode> whenGivenUp = new ArrayList<>();
        if (random.nextInt(4) != 0) {
            begun.add(grant.convert(target));
            time.run(Duration.ofMillis(random.nextLong(30)));
        }
        GrantedSlots.whileTasksWait(grant, () -> {
            if (begun.isEmpty()) {
                begun.add(grant.convert(target));
            }
            time.run(Duration.ofMillis(random.nextLong(10)));
            begun.get(0).giveUp();
            whenGivenUp.add(GrantedSlots.mode(grant));
        });
        time.run(Duration.ofSeconds(5));
        LockMode later = GrantedSlots.mode(grant);
        boolean cancelled = begun.get(0).getOutcome().toCompletableFuture().isCompletedExceptionally();
        return later == whenGivenUp.get(0) && later == (cancelled ? before : target)
                ? List.of()
                : List.of(Violation.CONVERTED_LATE.at(
                        time.now(),
                        "from " + before + " to " + target + ", which was given up in mode " + whenGivenUp.get(0)
                                + "; cancelled: " + cancelled + ", mode: " + later));
    }
}

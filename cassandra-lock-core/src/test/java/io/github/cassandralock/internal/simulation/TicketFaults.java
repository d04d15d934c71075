package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * What strikes the processes of a world: pauses, kills, outages, closings and forced releases. The seed decides when, and which
 * process.
 */
final class TicketFaults {

    /** A replica's number that stands for all replicas. */
    private static final int ALL = -1;

    private final TicketWorld world;
    private final FaultModel faultModel;
    private final List<CompletableFuture<Void>> closings = new ArrayList<>();
    private boolean forceReleasing;

    TicketFaults(TicketWorld world) {
        this.world = world;
        this.faultModel = world.faultModel();
    }

    /** Plans the faults of the fault model. */
    void plan() {
        SplittableRandom random = world.random();
        long faultPeriod = Math.max(1, faultModel.faultPeriod().toMillis());
        for (TicketMember member : world.members()) {
            member.process().pauseBetweenSteps(random.split(), faultModel.stepPauses(), faultModel.longestPause());
        }
        for (int pause = 0; pause < faultModel.pauses(); pause++) {
            Duration length =
                    Duration.ofNanos(random.nextLong(faultModel.longestPause().toNanos()));
            SimulatedProcess victim = anyProcess();
            world.time().at(Duration.ofMillis(random.nextLong(faultPeriod)), () -> victim.pauseFor(length));
        }
        for (int kill = 0; kill < faultModel.kills(); kill++) {
            kill(anyProcess(), Duration.ofMillis(random.nextLong(faultPeriod)));
        }
        for (int outage = 0; outage < faultModel.outages(); outage++) {
            outage(Duration.ofMillis(random.nextLong(faultPeriod)), Duration.ofMillis(random.nextLong(100, 15_000)));
        }
        if (!faultModel.faultPeriod().isZero() && random.nextInt(3) == 0) {
            TicketMember ending = world.any(world.members());
            world.time()
                    .at(
                            Duration.ofMillis(random.nextLong(faultPeriod)),
                            () -> ending.process()
                                    .run(random.nextInt(4) == 0 ? ending.timers()::breakDown : () -> close(ending)));
        }
    }

    private SimulatedProcess anyProcess() {
        return world.any(world.members()).process();
    }

    /** Half of the victims cannot write their slots in their last milliseconds: others have received what was never written. */
    private void kill(SimulatedProcess victim, Duration when) {
        Duration silent = Duration.ofMillis(world.random().nextInt(5) + 1L);
        if (world.random().nextBoolean() && when.compareTo(silent) > 0) {
            world.network().close(victim, SimulatedSlots.TABLE, ALL, when.minus(silent), silent.plusSeconds(1));
        }
        world.time().at(when, victim::kill);
    }

    private void outage(Duration after, Duration length) {
        SimulatedNetwork network = world.network();
        if (!faultModel.cutTable().isEmpty()) {
            network.close(anyProcess(), faultModel.cutTable(), ALL, after, length);
            return;
        }
        switch (world.random().nextInt(4)) {
            case 0 -> network.close(null, null, world.random().nextInt(3), after, length);
            case 1 -> network.close(anyProcess(), null, ALL, after, length);
            case 2 -> network.close(anyProcess(), SimulatedSlots.TABLE, ALL, after, length);
            default -> network.close(anyProcess(), SimulatedSessions.TABLE, ALL, after, length);
        }
    }

    /** Plans an outage of the slots, from one instant to another, each between two in milliseconds. */
    void cutOff(SimulatedProcess process, long earliestFrom, long latestFrom, long earliestTo, long latestTo) {
        long from = world.random().nextLong(earliestFrom, latestFrom);
        long to = Math.max(from, world.random().nextLong(earliestTo, latestTo));
        cutOff(SimulatedSlots.TABLE, process, from, to);
    }

    /** Plans an outage of one table, from one instant to another, in milliseconds. */
    void cutOff(String table, SimulatedProcess process, long from, long to) {
        cutOff(table, process, Duration.ofMillis(from), Duration.ofMillis(to - from));
    }

    void cutOff(String table, SimulatedProcess process, Duration after, Duration length) {
        world.network().close(process, table, ALL, after, length);
    }

    /** Plans that a process ends like an application. */
    void closeAt(Duration when, TicketMember member) {
        world.time().at(when, () -> member.process().run(() -> close(member)));
    }

    /** First the locker ends, then the timers. */
    private void close(TicketMember member) {
        if (member.locker().isClosed()) {
            return;
        }
        CompletableFuture<Void> end = member.locker().closeAsync().toCompletableFuture();
        world.checker().nothingIsHeldBy(member);
        end.thenRun(member.timers()::close);
        closings.add(end);
    }

    /** Whether all lockers that were asked to close have ended. */
    boolean haveClosed() {
        return closings.stream().allMatch(CompletableFuture::isDone);
    }

    /** Plans that locks are force-released within the first five seconds. */
    void forceReleaseLocks(SplittableRandom random, int times) {
        forceReleasing = true;
        for (int time = 0; time < times; time++) {
            world.time().at(Duration.ofMillis(random.nextLong(5_000)), this::forceReleaseAny);
        }
    }

    boolean isForceReleasing() {
        return forceReleasing;
    }

    /** Any of the slots that are wanted now; at once, or later. */
    private void forceReleaseAny() {
        List<Slot> wanted = world.slots().everything(TicketWorld.LOCK).slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .toList();
        if (!wanted.isEmpty()) {
            Slot named = world.any(wanted);
            Duration late = world.random().nextBoolean()
                    ? Duration.ZERO
                    : Duration.ofMillis(world.random().nextLong(2_000));
            world.time()
                    .at(
                            late,
                            () -> world.members()
                                    .forEach(member -> member.process().run(() -> forceRelease(member, named))));
        }
    }

    private void forceRelease(TicketMember member, Slot named) {
        world.checker().broken(named);
        member.algorithm()
                .forceRelease(
                        TicketWorld.LOCK,
                        named.session(),
                        named.attempt(),
                        new LockLoss(LockLoss.Reason.OTHER, "it was broken"));
    }
}

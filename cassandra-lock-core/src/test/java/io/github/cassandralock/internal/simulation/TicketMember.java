package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.locker.SimulatedLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.ticket.GrantedSlots;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * One process of a world, the algorithm on it and its callers. The seed decides its settings, its clocks, its distance from the
 * replicas, and which calls of its stores fail.
 */
public record TicketMember(
        int number,
        SimulatedProcess process,
        TicketAlgorithm algorithm,
        SimulatedTimers timers,
        SimulatedLocker locker,
        SlotLog log,
        SessionLog sessionLog,
        List<TicketCaller> callers) {

    private static final Duration EXPIRY_MARGIN = TicketWorld.SERVERS_APART.plusMillis(100);

    /** How one process is configured. */
    private record Settings(Duration lease, double drift, PollBounds poll) {

        private static final double DRIFT = 0.05;
        private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));

        static Settings usual(Duration lease) {
            return new Settings(lease, DRIFT, POLL);
        }

        static Settings any(SplittableRandom random) {
            Duration shortestPause = Duration.ofMillis(random.nextInt(1, 20));
            return new Settings(
                    Duration.ofMillis(random.nextInt(1_500, 12_000)),
                    random.nextDouble(0.01, 0.1),
                    new PollBounds(shortestPause, shortestPause.multipliedBy(random.nextInt(2, 50))));
        }

        /** How long, at least, a process relies on a slot that it wrote, whatever its clock does. */
        Duration certain(Duration slotLife) {
            return Duration.ofNanos((long) (slotLife.toNanos() * (1 - 2.2 * drift)))
                    .minus(EXPIRY_MARGIN);
        }
    }

    /** Starts a process. */
    static TicketMember of(TicketWorld world, int number) {
        FaultModel faultModel = world.faultModel();
        SplittableRandom random = world.random();
        Settings settings = faultModel.mixed() ? Settings.any(random) : Settings.usual(world.lease());
        SimulatedProcess process = process(world, settings.drift());
        SimulatedTimers timers = new SimulatedTimers(process);
        FailingCalls failing = new FailingCalls(random.split(), world.failingCalls(), world.network()::isHealed);
        SlotLog log = new SlotLog(
                failing.of(SlotStore.class, world.slots().seenBy(process)),
                world.time(),
                settings.certain(faultModel.slotLife()),
                world.checker().values());
        SessionLog sessionLog =
                new SessionLog(failing.of(SessionStore.class, world.sessions().seenBy(process)), process);
        SplittableRandom ids = random.split();
        TicketAlgorithm algorithm = new TicketAlgorithm(
                log,
                new SessionContext(
                        sessionLog,
                        new SessionSettings(settings.lease(), settings.drift()),
                        process,
                        timers,
                        () -> new UUID(ids.nextLong(), ids.nextLong()),
                        "process " + number),
                world.notices().channelOf(process, sessionLog::owns),
                new TicketSettings(
                        faultModel.slotLife(),
                        world.idleLife(),
                        EXPIRY_MARGIN,
                        faultModel.maxDuration(),
                        settings.poll(),
                        world.notices().keep()),
                process,
                Optional.empty());
        SimulatedLocker locker = new SimulatedLocker(
                algorithm,
                settings.lease(),
                process,
                faultModel.faultPeriod().isZero() ? Duration.ZERO : Duration.ofMillis(1),
                grant -> {
                    log.won(GrantedSlots.of(grant));
                    world.checker().grantedByAlgorithm(number, process, grant);
                });
        return new TicketMember(number, process, algorithm, timers, locker, log, sessionLog, new ArrayList<>());
    }

    private static SimulatedProcess process(TicketWorld world, double drift) {
        FaultModel faultModel = world.faultModel();
        SplittableRandom random = world.random();
        double rate =
                faultModel.drift() ? 1 + drift * (random.nextBoolean() ? 1 : -1) * random.nextDouble(0.8, 0.98) : 1;
        SimulatedProcess process = new SimulatedProcess(
                world.time(), rate, Duration.ofMinutes(faultModel.drift() ? random.nextInt(-120, 120) : 0));
        if (faultModel.transport().unequal()) {
            process.moveTo(random.nextDouble());
        }
        return process;
    }

    void addCaller(TicketWorld world, int rounds) {
        callers.add(new TicketCaller(world, this, rounds));
    }

    void startCallers() {
        callers.forEach(TicketCaller::start);
    }

    /** Whether its locker, or something that the locker needs, has been asked to end. */
    boolean isEnding() {
        return locker.isClosed() || timers.isClosed();
    }
}

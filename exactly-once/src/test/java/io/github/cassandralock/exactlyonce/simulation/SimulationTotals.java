package io.github.cassandralock.exactlyonce.simulation;

import java.util.concurrent.atomic.LongAdder;

/** What all schedules of a run did, for the documentation. */
final class SimulationTotals {

    private static final LongAdder SCHEDULES = new LongAdder();
    private static final LongAdder STEPS = new LongAdder();
    private static final LongAdder REQUESTS = new LongAdder();
    private static final LongAdder UNKNOWN = new LongAdder();
    private static final LongAdder LATE = new LongAdder();
    private static final LongAdder CRASHES = new LongAdder();

    private SimulationTotals() {}

    static void add(World world) {
        SCHEDULES.increment();
        STEPS.add(world.scheduler.step());
        REQUESTS.add(world.store.requests);
        UNKNOWN.add(world.store.unknownOutcomes);
        LATE.add(world.store.landedLate);
        CRASHES.add(world.crashes);
    }

    static String told() {
        return SCHEDULES.sum() + " schedules, " + STEPS.sum() + " steps, " + REQUESTS.sum() + " requests, "
                + UNKNOWN.sum() + " unknown outcomes, " + LATE.sum() + " writes landed late, " + CRASHES.sum()
                + " crashes";
    }
}

package io.github.cassandralock.exactlyonce.simulation;

import java.util.List;
import java.util.function.LongFunction;

/** The schedules of the handlers. For a seed, each returns the violations. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum Schedules implements ExactlyOnceSchedules {

    /** Pushers, queues, handlers and sinks amid some of every fault. */
    PIPELINE(seed -> PipelineWorld.run(seed, Faults::mixed)),

    /** The same amid many unknown outcomes and old reads, and copies that stand still for long. */
    HARD_PIPELINE(seed -> PipelineWorld.run(seed, Faults::hard)),

    /** Producers of every kind, queues that forget producers, and ended in doubt where that cannot be helped. */
    PRODUCERS(seed -> ProducersWorld.run(seed, Faults::mixed)),

    /** The same amid many unknown outcomes and old reads, and copies that stand still for long. */
    HARD_PRODUCERS(seed -> ProducersWorld.run(seed, Faults::hard)),

    /** Half transactions between two stores. */
    MONEY(seed -> MoneyWorld.run(seed, Faults::mixed)),

    /** The same amid many unknown outcomes and old reads. */
    HARD_MONEY(seed -> MoneyWorld.run(seed, Faults::hard)),

    /** Messages that fail, in copies that are healthy, slow and broken. */
    PARKING(seed -> ParkingWorld.run(seed, Faults::mixed)),

    /** The parking ring is full of ill messages, and operators send them again in any order. */
    FULL_RINGS(seed -> ParkingWorld.runWithFullRings(seed, Faults::mixed)),

    /** The register of what was sent again is restored, and its queues are not. */
    RESTORED_REGISTERS(seed -> ParkingWorld.runWithRestoredRegister(seed, Faults::mixed)),

    /** Queues are renamed, registers, states and rows are lost or restored, in the middle of everything. */
    RENAMES(seed -> RenameWorld.run(seed, Faults::mixed)),

    /** Stores are restored or emptied beneath copies that have nothing to do, and two handlers have one exclusive output. */
    BENEATH(seed -> RenameWorld.runBeneath(seed, Faults::mixed)),

    /** A state is restored with its queue, and the register of its effects is not. */
    RESTORED_STATES(seed -> RestoredStateWorld.run(seed, Faults::mixed)),

    /** The input queue of a handler is renamed again and again. */
    FORMER_QUEUES(seed -> FormerQueuesWorld.run(seed, Faults::mixed)),

    /** A handler writes several queues at the same time. */
    FAN_OUT(seed -> FanOutWorld.run(seed, Faults::mixed)),

    /** A handler writes several queues at the same time, amid many unknown outcomes and copies that stand still for long. */
    HARD_FAN_OUT(seed -> FanOutWorld.run(seed, Faults::hard)),

    /** Messages in a table, some of which fail. */
    TABLE(seed -> TableWorld.run(seed, Faults::mixed)),

    /** Messages in a table, amid many unknown outcomes and copies that stand still for long. */
    HARD_TABLE(seed -> TableWorld.run(seed, Faults::hard)),

    /** A pusher dies between its cell and the hint, and nobody takes anything from the queue. */
    DEAD_PUSHER(DirectedSchedules::deadPusher),

    /** A copy that stood still asks whether its message was there, and reads old low-water records. */
    OLD_RECORDS(DirectedSchedules::oldRecords),

    /** The consumer that holds a ring full is removed, and those that are left have nothing to tell. */
    HELD_RING(DirectedSchedules::heldRing);

    private final LongFunction<List<String>> schedule;

    Schedules(LongFunction<List<String>> schedule) {
        this.schedule = schedule;
    }

    @Override
    public List<String> apply(long seed) {
        return schedule.apply(seed);
    }
}

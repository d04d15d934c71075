package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.seeded.PlantedSchedules;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import java.time.Duration;
import java.util.List;

/** What may happen in the schedules of one search. */
@SuppressWarnings("ImmutableEnumChecker") // bounds never change
public enum Scope implements PlantedSchedules {
    TWO_PROCESSES(Bounds.of(2, 1, 5), "each of two processes takes the lock once"),

    /** Only in nightly builds. */
    TWICE(Bounds.of(2, 2, 2), "each of two processes takes the lock twice"),

    THREE_PROCESSES(Bounds.of(3, 1, 2), "each of three processes takes the lock once"),

    TIME_OUTS(
            Bounds.of(2, 1, 5).upTo(2, Step.Kind.TIME_OUT),
            "two operations have no answer in time: they are repeated, and may take effect late"),

    LONG_HOLD(Bounds.of(2, 1, 18).lease(Scope.SHORT_LEASE), "B watches the session of A, and A renews it"),

    SHORTER_LEASE(
            Bounds.of(2, 1, 18).lease(Scope.SHORT_LEASE).shortLease(1),
            "B watches the session of A, which has a longer lease"),

    CRASH(Bounds.of(2, 1, 12).upTo(1, Step.Kind.CRASH).lease(Scope.SHORT_LEASE), "A crashes, and B evicts it"),

    CUT_OFF(
            Bounds.of(2, 1, 14).upTo(1, Step.Kind.CUT_OFF).lease(Scope.SHORT_LEASE),
            "A is cut off from the table of sessions, and B evicts it"),

    PAUSE(
            Bounds.of(2, 1, 12).upTo(1, Step.Kind.PAUSE).victim(1).lease(Scope.SHORT_LEASE),
            "B pauses while it watches the session of A"),

    ONE_CONVERTS(
            Bounds.of(2, Use.READS.converts(LockMode.EXCLUSIVE), Use.READS).begun(2),
            "A and B read, and A converts up to EXCLUSIVE"),

    EXPIRY(
            Bounds.of(2, 1, 6)
                    .begun(2)
                    .upTo(1, Step.Kind.PAUSE)
                    .lease(Scope.LEASE_OF_EXPIRY)
                    .slotLife(Scope.SHORT_LIFE),
            "A holds the lock, B waits for it, A pauses, and its slot expires"),

    /** Only in nightly builds. */
    KEEPS(
            Bounds.of(1, Use.WRITES.times(3), Use.WRITES)
                    .begun(1)
                    .upTo(2, Step.Kind.DELIVER)
                    .keeps()
                    .steps(14),
            "notices: A takes the lock three times and keeps it, and B comes"),

    /** Only in nightly builds. */
    THREE_TWICE(
            Bounds.of(3, 2, 2).begun(3).steps(15),
            "each of three processes takes the lock twice; A holds it at first, and B and C wait"),

    /** Only in nightly builds. */
    PARTLY_DOWN(
            Bounds.of(
                            1,
                            Use.READS.converts(LockMode.EXCLUSIVE, LockMode.PROTECTED_WRITE, LockMode.PROTECTED_READ),
                            Use.READS)
                    .begun(1),
            "A reads, converts up to EXCLUSIVE and down in two steps, and B reads"),

    /** Only in nightly builds. */
    SIDEWAYS(
            Bounds.of(
                            1,
                            Use.READS.converts(
                                    LockMode.CONCURRENT_WRITE, LockMode.EXCLUSIVE, LockMode.CONCURRENT_WRITE),
                            Use.READS)
                    .begun(1)
                    .steps(14),
            "A reads, converts to CONCURRENT_WRITE, up to EXCLUSIVE and back, and B reads"),

    /** Only in nightly builds. */
    DOWN_AND_UP(
            Bounds.of(2, Use.WRITES.converts(LockMode.PROTECTED_READ), Use.READS.converts(LockMode.EXCLUSIVE))
                    .begun(1),
            "A converts down to PROTECTED_READ, and B reads and converts up to EXCLUSIVE"),

    /** Only in nightly builds. */
    UP_AND_DOWN(
            Bounds.of(2, Use.READS.converts(LockMode.EXCLUSIVE, LockMode.PROTECTED_READ), Use.WRITES)
                    .begun(1),
            "A reads, converts up to EXCLUSIVE and down again, and B writes"),

    /** Only in nightly builds. */
    COMES_BACK(
            Bounds.of(1, Use.WRITES.times(2), Use.WRITES)
                    .upTo(4, Step.Kind.DELIVER)
                    .begun(2),
            "notices: A holds the lock and takes it once more, and B waits for it"),

    /** Only in nightly builds. */
    BOTH_CONVERT(
            Bounds.of(2, Use.READS.converts(LockMode.EXCLUSIVE), Use.READS.converts(LockMode.EXCLUSIVE))
                    .begun(2)
                    .upTo(1, Step.Kind.GIVE_UP)
                    .steps(10),
            "A and B read, both convert up to EXCLUSIVE, and one of them gives up"),

    /** Only in nightly builds. */
    CONVERTER_AND_NEWCOMER(
            Bounds.of(1, Use.READS.converts(LockMode.EXCLUSIVE), Use.READS, Use.WRITES)
                    .begun(2)
                    .steps(11),
            "A and B read, A converts up to EXCLUSIVE, and C comes to write"),

    /** Only in nightly builds. */
    BOTH_COME_BACK(
            Bounds.of(1, Use.WRITES.times(2), Use.WRITES.times(2))
                    .upTo(3, Step.Kind.DELIVER)
                    .begun(2)
                    .steps(12),
            "notices: A holds the lock, B waits for it, and both take it once more"),

    /** Only in nightly builds. */
    COPIES(
            Bounds.of(1, Use.WRITES.times(2), Use.WRITES)
                    .upTo(3, Step.Kind.DELIVER)
                    .upTo(1, Step.Kind.DELIVER_COPY)
                    .begun(2)
                    .steps(10),
            "notices: A holds the lock and takes it once more, B waits for it, and a notice arrives twice"),

    /** Only in nightly builds. */
    THREE_CRASH(
            Bounds.of(3, 1, 12).begun(3).upTo(1, Step.Kind.CRASH).lease(Scope.SHORT_LEASE),
            "A holds the lock, B and C wait for it, and A crashes"),

    /** Only in nightly builds. */
    LOST_ANSWER(
            Bounds.of(2, 1, 16).begun(2).upTo(1, Step.Kind.TIME_OUT).lease(Scope.SHORT_LEASE),
            "A holds the lock, B watches its session, and an operation has no answer in time"),

    /** Only in nightly builds. */
    HOLDER_PAUSES(
            Bounds.of(2, 1, 11).upTo(1, Step.Kind.PAUSE).lease(Scope.SHORT_LEASE),
            "A pauses while B watches its session"),

    /** Only in nightly builds. */
    THREE_TIME_OUTS(
            Bounds.of(3, 1, 2).upTo(1, Step.Kind.TIME_OUT),
            "each of three processes takes the lock once, and an operation has no answer in time");

    /** In milliseconds. */
    static final int SHORT_LEASE = 60;

    /** Longer than a slot with a short life lives. */
    static final int LEASE_OF_EXPIRY = 156;

    static final int SHORT_LIFE = 105;

    private static final Duration LONG_LEASE = Duration.ofMinutes(10);

    /** Longer than the pause before an operation without an answer is sent again, and shorter than that before a renewal. */
    private static final Duration HORIZON = Duration.ofSeconds(40);

    private static final Duration POLL = Duration.ofMillis(30);

    /** How many times the short lease the others are. So they renew their sessions rarely. */
    private static final int LONGER_BY = 5;

    /** How much earlier than its life a slot with a short life may expire. */
    private static final Duration EXPIRY_MARGIN = Duration.ofMillis(20);

    private static final double DRIFT = 0.2;

    /** Less than the drift, so that the difference of two clocks is within what the settings allow. */
    private static final double APART = 0.19;

    private final Bounds bounds;
    private final String text;

    Scope(Bounds bounds, String text) {
        this.bounds = bounds;
        this.text = text;
    }

    Bounds bounds() {
        return bounds;
    }

    /** What happens, for people. */
    public String text() {
        return text;
    }

    /** The first process has a slow clock, the others have fast ones. */
    double clockRate(int process) {
        return process == 0 ? 1 - APART : 1 + APART;
    }

    /** Processes have different leases. */
    SessionSettings sessionSettings(int process) {
        return new SessionSettings(
                bounds.hasTime()
                        ? bounds.lease().multipliedBy(process == bounds.shortLease() ? 1 : LONGER_BY)
                        : LONG_LEASE,
                DRIFT);
    }

    /** Timers of a later instant do not end. Without them, no session is renewed while clocks stand still. */
    long horizon() {
        return bounds.hasTime() ? Long.MAX_VALUE : HORIZON.toNanos();
    }

    /** Slots of the first process may have a short life. An idle slot may expire at once, as in Cassandra. */
    TicketSettings ticketSettings(int process) {
        PollBounds poll = new PollBounds(POLL, POLL);
        Duration life = bounds.slotLife();
        return process > 0 || life.isZero()
                ? TicketSettings.of(Duration.ZERO, poll).keeping(bounds.keep())
                : new TicketSettings(life, EXPIRY_MARGIN, EXPIRY_MARGIN, Duration.ZERO, poll, Duration.ZERO);
    }

    @Override
    public String basePackage() {
        return "io.github.cassandralock.internal.";
    }

    @Override
    public List<String> reloaded() {
        return List.of("steps.", "session.", "deadlock.", "ticket.", "locker.", "simulation.", "exhaustive.");
    }

    /** How many steps a story has that {@link #apply} returns. */
    public static long steps(List<String> story) {
        return story.stream().filter(line -> line.startsWith(StateSearch.STEP)).count();
    }

    /** The first violation of all schedules, whatever the seed is, and the steps that lead to it. */
    @Override
    public List<String> apply(long seed) {
        return StateSearch.of(this).violations();
    }
}

package io.github.cassandralock.internal.ticket.slot;

import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.ticket.attempt.Claim;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.attempt.WaitingAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.handle.TokenReservation;
import io.github.cassandralock.internal.ticket.process.RecentReleases;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of a slot's states: what each makes of an event, and what it orders. Costs nothing. */
class SlotStateTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final LockLoss LOSS = new LockLoss(LockLoss.Reason.OTHER, "test");

    /** One row of the table, in a world of its own. */
    private record Row(
            String name,
            BiFunction<World, LockAccess, SlotState> event,
            Class<? extends SlotState> next,
            List<String> orders) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Row row(
            String name,
            BiFunction<World, LockAccess, SlotState> event,
            Class<? extends SlotState> next,
            String... orders) {
        return new Row(name, event, next, List.of(orders));
    }

    /** A lock that records what is ordered. Its mailbox runs nothing, so attempts get no further than their beginning. */
    private static final class World implements LockAccess {

        private final SimulatedTime time = new SimulatedTime();
        private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
        private final InstantStore store = new InstantStore(time);
        private final SessionSettings settings = new SessionSettings(LEASE, 0.05);
        private final SessionKeeper sessions = new SessionKeeper(
                new SessionContext(store, settings, process, process, () -> new UUID(1, 1), "test"),
                (lost, reason) -> {});
        private final OwnSession session =
                sessions.current().toCompletableFuture().join();
        private final List<String> orders = new ArrayList<>();
        private final List<TicketRequest> waiting = new ArrayList<>();
        private final TicketRequest request = request(EXCLUSIVE, false);
        private final RecentReleases releases = new RecentReleases(LEASE);
        private boolean notices = true;
        private boolean closing;
        private boolean requestedHere;
        private boolean requestedElsewhere;

        static TicketRequest request(LockMode mode, boolean tries) {
            return new TicketRequest(mode, 1, tries, null, 0, cancelled -> {});
        }

        @Override
        @SuppressWarnings("NullAway") // states ask for none of the rest
        public TicketContext context() {
            return new TicketContext(
                    store,
                    sessions,
                    null,
                    notices ? null : NoticeChannel.OFF,
                    null,
                    null,
                    releases,
                    settings,
                    TicketSettings.of(
                                    Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250)))
                            .keeping(LEASE),
                    process,
                    process,
                    null,
                    null,
                    new ProtocolCounters(),
                    new BoundedOperations());
        }

        private LockPartition partition() {
            return new LockPartition(context(), lockId(), task -> {});
        }

        OwnRow row() {
            OwnRow row = new OwnRow(context(), session, new SlotId(session.id(), 0), EXCLUSIVE, -1, 1);
            row.acknowledged(process.nanos());
            return row;
        }

        TokenReservation tokens() {
            return new TokenReservation(partition());
        }

        SlotHold hold() {
            return new SlotHold(tokens(), new Outcome.Acquired(row(), false, Duration.ZERO));
        }

        Acquiring acquiring() {
            return new Acquiring(newAttempt(Optional.of(row())), List.of(request));
        }

        Acquiring converting() {
            Claim claim = new Claim(EXCLUSIVE, true, List.of(row()), PROTECTED_READ, 1);
            return new Acquiring(
                    new WaitingAttempt(new SlotNotices(partition(), 1), claim, true, Optional.of(row()), report -> {}),
                    List.of(request));
        }

        Acquiring acquiring(TicketRequest first) {
            return new Acquiring(newAttempt(Optional.of(row())), List.of(first));
        }

        private SlotAttempt newAttempt(Optional<OwnRow> replaced) {
            return new WaitingAttempt(
                    new SlotNotices(partition(), 0), Claim.of(EXCLUSIVE, 1, true), true, replaced, report -> {});
        }

        Vacant vacant() {
            return new Vacant(row(), hold());
        }

        Vacant told() {
            return new Vacant(row(), null);
        }

        SlotState.Releasing releasing() {
            return new SlotState.Releasing(row());
        }

        Outcome.Acquired acquired() {
            return new Outcome.Acquired(row(), false, Duration.ZERO);
        }

        @Override
        public String lockId() {
            return "lock";
        }

        @Override
        public boolean isClosing() {
            return closing;
        }

        @Override
        public boolean isRequestedHere(LockMode mode) {
            return requestedHere;
        }

        @Override
        public boolean isRequestedElsewhere() {
            return requestedElsewhere;
        }

        @Override
        public boolean areSharersGone(TicketRequest conversion) {
            return true;
        }

        @Override
        public Optional<TicketRequest> takeNext(LockMode mode, int permits) {
            return waiting.stream().findFirst();
        }

        @Override
        public Optional<TicketRequest> takeHeir(TicketRequest cancelled) {
            return waiting.stream().findFirst();
        }

        @Override
        public void requeue(List<TicketRequest> requests) {
            orders.add("requeue " + requests.size());
        }

        @Override
        public void failLongWaiting(Throwable cause) {
            orders.add("fail those that wait for long");
        }

        @Override
        public SlotAttempt start(TicketRequest next, Optional<OwnRow> replaced) {
            orders.add(replaced.isPresent() ? "W1 over a row" : "W1");
            return newAttempt(replaced);
        }

        @Override
        public SlotAttempt startAfterPause(TicketRequest next, Optional<OwnRow> replaced) {
            orders.add(replaced.isPresent() ? "pause, W1 over a row" : "pause, W1");
            return newAttempt(replaced);
        }

        @Override
        public SlotAttempt startWithReticket(TicketRequest next, OwnRow promised) {
            orders.add("RETICKET");
            return newAttempt(Optional.of(promised));
        }

        @Override
        public void abandon(SlotAttempt attempt) {
            orders.add("abandon");
        }

        @Override
        public void cancel(SlotAttempt attempt) {
            orders.add("cancel");
        }

        @Override
        public SlotHold hold(Outcome.Acquired acquired) {
            return new SlotHold(new TokenReservation(partition()), acquired);
        }

        @Override
        public void grant(TicketRequest next, SlotHold hold) {
            orders.add("grant");
        }

        @Override
        public void refuse(TicketRequest next) {
            orders.add("refuse");
        }

        @Override
        public void fail(TicketRequest next, Throwable cause) {
            orders.add("fail");
        }

        @Override
        public void sendOver(OwnRow row) {
            orders.add("OVER");
        }

        @Override
        public OwnRow promise(OwnRow over) {
            orders.add("OVER with a promise");
            return over.promised(1);
        }

        @Override
        public void release(SlotState.Releasing releasing) {
            orders.add("IDLE");
        }

        @Override
        public void startTimer(Duration time, SlotState since) {
            orders.add("timer");
        }

        @Override
        public void modeLowered(SlotHold hold) {
            orders.add("MODE");
        }

        @Override
        public void sharersChanged() {
            orders.add("sharers gone");
        }

        @Override
        public void endContention(SlotHold hold) {
            orders.add("listeners dropped");
        }

        @Override
        public void leaveBehind(OwnRow row, Duration atLeast) {
            orders.add("left behind");
        }

        @Override
        public void completeConversion(TicketRequest conversion, SlotHold hold) {
            orders.add("conversion");
        }

        @Override
        public void lose(List<TicketHandle> handles, LockLoss loss) {
            orders.add("lose " + handles.size());
        }
    }

    static Stream<Row> table() {
        return Stream.of(free(), acquiring(), held(), unused(), vacant(), over())
                .flatMap(rows -> rows);
    }

    private static Stream<Row> free() {
        return Stream.of(
                row(
                        "free, taken",
                        (world, access) -> SlotState.Free.INSTANCE.taken(world.request, access),
                        Acquiring.class,
                        "W1"),
                row(
                        "free, its time is up",
                        (world, access) -> SlotState.Free.INSTANCE.reservationEnded(access),
                        SlotState.Free.class));
    }

    private static Stream<Row> acquiring() {
        return Stream.of(
                row(
                        "acquiring, joined",
                        (world, access) -> world.acquiring().joined(World.request(EXCLUSIVE, false), access),
                        Acquiring.class),
                row(
                        "acquiring, cancelled by the last request",
                        (world, access) -> world.acquiring().cancelled(world.request, access),
                        Vacant.class,
                        "cancel",
                        "OVER"),
                row(
                        "acquiring, cancelled, and another request waits",
                        (world, access) -> {
                            world.waiting.add(World.request(EXCLUSIVE, false));
                            return world.acquiring().cancelled(world.request, access);
                        },
                        Acquiring.class),
                row(
                        "acquiring, a try is cancelled, and another request waits",
                        (world, access) -> {
                            world.waiting.add(World.request(EXCLUSIVE, false));
                            TicketRequest tries = World.request(EXCLUSIVE, true);
                            return world.acquiring(tries).cancelled(tries, access);
                        },
                        Vacant.class,
                        "cancel",
                        "OVER"),
                row(
                        "acquiring, acquired",
                        (world, access) -> world.acquiring().ended(world.acquired(), access),
                        Held.class,
                        "grant"),
                row(
                        "acquiring, acquired for a conversion",
                        (world, access) -> world.converting().ended(world.acquired(), access),
                        Held.class,
                        "conversion"),
                row(
                        "acquiring, an event does not end the attempt",
                        (world, access) -> world.acquiring().notified(attempt -> Optional.empty(), access),
                        Acquiring.class),
                row(
                        "acquiring, an event ends the attempt",
                        (world, access) -> world.acquiring().notified(attempt -> Optional.of(world.acquired()), access),
                        Held.class,
                        "grant"),
                row(
                        "acquiring, refused",
                        (world, access) -> world.acquiring().ended(new Outcome.Refused(), access),
                        Vacant.class,
                        "refuse",
                        "OVER"),
                row(
                        "acquiring, its slot is lost, and the request waits",
                        (world, access) -> world.acquiring().ended(new Outcome.SlotLost("test"), access),
                        Acquiring.class,
                        "OVER",
                        "pause, W1 over a row"),
                row(
                        "acquiring, its slot is lost, and the request tries",
                        (world, access) -> world.acquiring(World.request(EXCLUSIVE, true))
                                .ended(new Outcome.SlotLost("test"), access),
                        Vacant.class,
                        "refuse",
                        "OVER"),
                row(
                        "acquiring, failed",
                        (world, access) ->
                                world.acquiring().ended(new Outcome.Failed(new IllegalStateException()), access),
                        Vacant.class,
                        "fail",
                        "requeue 0",
                        "fail those that wait for long",
                        "OVER"),
                row(
                        "acquiring, its pause is over",
                        (world, access) -> world.acquiring().restarted(access),
                        Vacant.class,
                        "abandon",
                        "requeue 1",
                        "OVER"),
                row(
                        "acquiring without a ticket, and an earlier request begins again",
                        (world, access) -> world.acquiring().restartedBehind(request -> true, access),
                        Vacant.class,
                        "abandon",
                        "requeue 1",
                        "OVER"),
                row(
                        "acquiring, and a later request begins again",
                        (world, access) -> world.acquiring().restartedBehind(request -> false, access),
                        Acquiring.class),
                row(
                        "acquiring, its session is lost",
                        (world, access) -> world.acquiring().sessionLost(world.session, LOSS, access),
                        SlotState.Free.class,
                        "abandon",
                        "requeue 1"));
    }

    private static SlotState heldBy(int handles, World world, BiFunction<Held, TicketHandle, SlotState> event) {
        SlotHold hold = world.hold();
        TicketHandle first = hold.nextHandle();
        for (int more = 1; more < handles; more++) {
            hold.nextHandle();
        }
        return event.apply(new Held(hold), first);
    }

    private static Stream<Row> held() {
        return Stream.of(
                row(
                        "held, joined",
                        (world, access) -> new Held(world.hold()).joined(world.request, access),
                        Held.class,
                        "grant"),
                row(
                        "held, released by the last handle",
                        (world, access) -> heldBy(1, world, (held, handle) -> held.handleReleased(handle, access)),
                        Vacant.class,
                        "listeners dropped"),
                row(
                        "held, released by the last handle below a conversion",
                        (world, access) -> heldBy(1, world, (held, handle) -> {
                            held.hold().setBase();
                            return held.handleReleased(handle, access);
                        }),
                        Vacant.class,
                        "listeners dropped",
                        "OVER"),
                row(
                        "held, released by one handle of two",
                        (world, access) -> heldBy(2, world, (held, handle) -> held.handleReleased(handle, access)),
                        Held.class,
                        "sharers gone"),
                row(
                        "held, released by a handle of another hold",
                        (world, access) -> heldBy(
                                1,
                                world,
                                (held, handle) ->
                                        held.handleReleased(world.hold().nextHandle(), access)),
                        Held.class),
                row(
                        "held, and its handle needs less",
                        (world, access) -> heldBy(1, world, (held, handle) -> {
                            held.hold().setNeed(handle, PROTECTED_READ);
                            return held.lowered(access);
                        }),
                        Held.class,
                        "MODE",
                        "sharers gone"),
                row(
                        "held, left behind",
                        (world, access) -> heldBy(
                                1,
                                world,
                                (held, handle) -> held.leftBehind(held.hold().row(), handle, LEASE, access)),
                        LeftBehind.class,
                        "listeners dropped",
                        "left behind"),
                row(
                        "held, force-released",
                        (world, access) -> heldBy(
                                2,
                                world,
                                (held, handle) -> held.forceReleased(
                                        world.session, held.hold().row().slot().attempt(), LOSS, access)),
                        Held.class,
                        "lose 2"),
                row(
                        "held, an earlier attempt is force-released",
                        (world, access) -> heldBy(
                                1,
                                world,
                                (held, handle) -> held.forceReleased(
                                        world.session, held.hold().row().slot().attempt() - 1, LOSS, access)),
                        Held.class),
                row(
                        "held, its session is lost",
                        (world, access) ->
                                heldBy(1, world, (held, handle) -> held.sessionLost(world.session, LOSS, access)),
                        Held.class,
                        "lose 1"),
                row(
                        "held, refreshed in time",
                        (world, access) -> heldBy(1, world, (held, handle) -> held.expired(access)),
                        Held.class),
                row(
                        "held, the last handle no longer uses the slot",
                        (world, access) -> heldBy(1, world, (held, handle) -> held.withdrawn(handle, access)),
                        Vacant.class,
                        "listeners dropped",
                        "OVER"),
                row(
                        "held, no handle gets it",
                        (world, access) -> heldBy(1, world, (held, handle) -> held.vacated(held.hold(), access)),
                        Vacant.class,
                        "OVER"),
                row(
                        "held, no handle got a hold before it",
                        (world, access) -> heldBy(1, world, (held, handle) -> held.vacated(world.hold(), access)),
                        Held.class),
                row(
                        "held, its time as a kept slot is up",
                        (world, access) -> new Held(world.hold()).reservationEnded(access),
                        Held.class));
    }

    private static Stream<Row> unused() {
        return Stream.of(
                row(
                        "kept, taken in its mode",
                        (world, access) -> new SlotState.Kept(world.hold()).taken(world.request, access),
                        Held.class,
                        "grant"),
                row(
                        "kept, taken in another mode",
                        (world, access) ->
                                new SlotState.Kept(world.hold()).taken(World.request(PROTECTED_READ, false), access),
                        Acquiring.class,
                        "OVER",
                        "W1 over a row"),
                row(
                        "kept, its time is up",
                        (world, access) -> new SlotState.Kept(world.hold()).reservationEnded(access),
                        Vacant.class,
                        "OVER"),
                row(
                        "kept, another session requests the lock",
                        (world, access) -> new SlotState.Kept(world.hold()).requestedElsewhere(access),
                        Vacant.class,
                        "OVER"),
                row(
                        "kept, refreshed in time",
                        (world, access) -> new SlotState.Kept(world.hold()).expired(access),
                        SlotState.Kept.class),
                row(
                        "kept, its session is lost",
                        (world, access) -> new SlotState.Kept(world.hold()).sessionLost(world.session, LOSS, access),
                        SlotState.Free.class),
                row(
                        "promised, taken in its mode",
                        (world, access) -> new SlotState.Promised(world.row()).taken(world.request, access),
                        Acquiring.class,
                        "RETICKET"),
                row(
                        "promised, taken by a try",
                        (world, access) ->
                                new SlotState.Promised(world.row()).taken(World.request(EXCLUSIVE, true), access),
                        Acquiring.class,
                        "OVER",
                        "W1 over a row"),
                row(
                        "promised, another session requests the lock",
                        (world, access) -> new SlotState.Promised(world.row()).requestedElsewhere(access),
                        SlotState.Promised.class),
                row(
                        "promised, its time is up",
                        (world, access) -> new SlotState.Promised(world.row()).reservationEnded(access),
                        Vacant.class,
                        "OVER"),
                row(
                        "promised, its session is lost",
                        (world, access) -> new SlotState.Promised(world.row()).sessionLost(world.session, LOSS, access),
                        SlotState.Free.class));
    }

    private static Stream<Row> vacant() {
        return Stream.of(
                row(
                        "vacant, handed over",
                        (world, access) -> {
                            world.waiting.add(world.request);
                            return world.vacant().handedOver(access);
                        },
                        Held.class,
                        "grant"),
                row(
                        "vacant, and others were told so, is not handed over",
                        (world, access) -> {
                            world.waiting.add(world.request);
                            return world.told().handedOver(access);
                        },
                        Vacant.class),
                row(
                        "vacant, taken in its mode",
                        (world, access) -> world.vacant().taken(world.request, access),
                        Acquiring.class,
                        "OVER with a promise",
                        "RETICKET"),
                row(
                        "vacant, taken by a try",
                        (world, access) -> world.vacant().taken(World.request(EXCLUSIVE, true), access),
                        Acquiring.class,
                        "OVER",
                        "W1 over a row"),
                row(
                        "vacant, and others were told so, is taken",
                        (world, access) -> world.told().taken(world.request, access),
                        Acquiring.class,
                        "W1 over a row"),
                row(
                        "vacant, settled, and another session waits",
                        (world, access) -> {
                            world.requestedElsewhere = true;
                            return world.vacant().settled(access);
                        },
                        SlotState.Promised.class,
                        "OVER with a promise",
                        "timer"),
                row(
                        "vacant, settled for the second time in a short while",
                        (world, access) -> {
                            world.vacant().settled(access);
                            world.orders.clear();
                            return world.vacant().settled(access);
                        },
                        SlotState.Kept.class,
                        "timer"),
                row(
                        "vacant, settled, and nobody has wanted it lately",
                        (world, access) -> world.vacant().settled(access),
                        SlotState.Releasing.class,
                        "OVER",
                        "IDLE"),
                row(
                        "vacant, settled, and a request of the process conflicts",
                        (world, access) -> {
                            world.requestedElsewhere = true;
                            world.requestedHere = true;
                            return world.vacant().settled(access);
                        },
                        SlotState.Releasing.class,
                        "OVER",
                        "IDLE"),
                row(
                        "vacant, settled while the process ends",
                        (world, access) -> {
                            world.requestedElsewhere = true;
                            world.closing = true;
                            return world.vacant().settled(access);
                        },
                        SlotState.Releasing.class,
                        "OVER",
                        "IDLE"),
                row(
                        "vacant, settled without notices: the write is waited for",
                        (world, access) -> {
                            world.notices = false;
                            return world.vacant().settled(access);
                        },
                        SlotState.Releasing.class,
                        "OVER",
                        "IDLE"),
                row(
                        "vacant, its session is lost",
                        (world, access) -> world.vacant().sessionLost(world.session, LOSS, access),
                        SlotState.Free.class));
    }

    private static Stream<Row> over() {
        return Stream.of(
                row(
                        "releasing, taken",
                        (world, access) -> world.releasing().taken(world.request, access),
                        Acquiring.class,
                        "W1 over a row"),
                row(
                        "releasing, its write is acknowledged",
                        (world, access) -> world.releasing().releaseEnded(access),
                        SlotState.Free.class),
                row(
                        "held, a write that released it before is acknowledged",
                        (world, access) -> new Held(world.hold()).releaseEnded(access),
                        Held.class),
                row(
                        "releasing, settled",
                        (world, access) -> world.releasing().settled(access),
                        SlotState.Releasing.class),
                row(
                        "releasing, its session is lost",
                        (world, access) -> world.releasing().sessionLost(world.session, LOSS, access),
                        SlotState.Free.class),
                row(
                        "left behind, nobody uses it again",
                        (world, access) -> new LeftBehind(world.row(), 0).reservationEnded(access),
                        LeftBehind.class),
                row(
                        "left behind, for longer",
                        (world, access) -> {
                            OwnRow row = world.row();
                            return new LeftBehind(row, world.process.nanos())
                                    .leftBehind(row, new TicketHandle(row, world.tokens(), 1), LEASE, access);
                        },
                        LeftBehind.class,
                        "left behind"),
                row(
                        "left behind, for a shorter time",
                        (world, access) -> {
                            OwnRow row = world.row();
                            long until = world.process.nanos() + LEASE.toNanos();
                            return new LeftBehind(row, until)
                                    .leftBehind(row, new TicketHandle(row, world.tokens(), 1), Duration.ZERO, access);
                        },
                        LeftBehind.class),
                row(
                        "left behind, its session is lost",
                        (world, access) -> new LeftBehind(world.row(), 0).sessionLost(world.session, LOSS, access),
                        SlotState.Free.class));
    }

    @ParameterizedTest
    @MethodSource("table")
    void stateDecidesWhatAnEventMakesOfTheSlot(Row row) {
        World world = new World();
        SlotState next = row.event().apply(world, world);
        assertThat(next).isInstanceOf(row.next());
        assertThat(world.orders).isEqualTo(row.orders());
    }
}

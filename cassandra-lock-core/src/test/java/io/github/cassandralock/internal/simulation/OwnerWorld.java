package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.SimulatedLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Owners of several processes that take several locks at once, on simulated replicas, all decided by one seed. */
abstract class OwnerWorld {

    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final Duration AFTERMATH = Duration.ofSeconds(20);
    private static final double EPSILON = 0.05;
    private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));

    final FaultModel faults;
    final SplittableRandom random;
    final SimulatedTime time = new SimulatedTime();
    final List<Member> members = new ArrayList<>();
    private final SimulatedNetwork network;
    private final SimulatedSlots slots;
    private final SimulatedSessions sessions;
    private final SimulatedNotices notices;
    private final List<Holding> holdings = new ArrayList<>();
    private final List<Owner> owners = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    record Member(int number, SimulatedProcess process, SimulatedLocker locker, SessionLog session) {}

    /** What an owner was given. */
    interface Holding {

        Owner owner();

        RemoteLocks locks();

        /** Whether two owners must not have both. */
        boolean conflictsWith(Holding other);
    }

    OwnerWorld(long seed) {
        random = new SplittableRandom(seed);
        faults = random.nextInt(3) == 0 ? FaultModel.calm() : FaultModel.any(random);
        network = new SimulatedNetwork(time, random.split(), faults.transport());
        slots = new SimulatedSlots(time, network, random.split(), Duration.ZERO);
        sessions = new SimulatedSessions(time, network, random.split());
        NoticeFaults noticeFaults = random.nextBoolean() ? NoticeFaults.OFF : NoticeFaults.races(random);
        notices = new SimulatedNotices(time, random.split(), noticeFaults);
        for (int number = random.nextInt(2, 4); number > 0; number--) {
            members.add(member(number));
        }
    }

    abstract Owner owner(Member member, int rounds);

    /** The ids of all locks that owners take. */
    abstract Stream<String> lockIds();

    /** @return what should not have happened */
    final List<String> run() {
        misfortunes();
        for (Member member : members) {
            for (int owner = random.nextInt(1, 4); owner > 0; owner--) {
                owners.add(owner(member, random.nextInt(1, 5)));
            }
        }
        owners.forEach(Owner::begin);
        time.run(faults.faultPeriod());
        network.heal();
        notices.heal();
        members.forEach(member -> member.process().pauseNoMore());
        time.runUntil(() -> owners.stream().allMatch(Owner::isDone), PATIENCE);
        everyCallMustHaveEnded();
        time.runUntil(() -> leftBehind().findAny().isEmpty(), AFTERMATH);
        nothingMustBlockOthers();
        return violations;
    }

    private Member member(int number) {
        SimulatedProcess process = new SimulatedProcess(time, 1 + random.nextDouble(-0.04, 0.04), Duration.ZERO);
        SessionLog session = new SessionLog(sessions.seenBy(process), process);
        SplittableRandom ids = random.split();
        TicketAlgorithm algorithm = new TicketAlgorithm(
                slots.seenBy(process),
                new SessionContext(
                        session,
                        new SessionSettings(FaultModel.LEASE, EPSILON),
                        process,
                        process,
                        () -> new UUID(ids.nextLong(), ids.nextLong()),
                        "process " + number),
                notices.channelOf(process, session::owns),
                new TicketSettings(
                        faults.slotLife(),
                        PATIENCE.multipliedBy(2),
                        Duration.ofMillis(100),
                        faults.maxDuration(),
                        POLL,
                        notices.keep()),
                process,
                Optional.empty());
        SimulatedLocker locker =
                new SimulatedLocker(algorithm, FaultModel.LEASE, process, Duration.ZERO, granted -> {});
        return new Member(number, process, locker, session);
    }

    private void misfortunes() {
        long period = Math.max(1, faults.faultPeriod().toMillis());
        for (Member member : members) {
            member.process().pauseBetweenSteps(random.split(), faults.stepPauses(), faults.longestPause());
        }
        for (int pause = 0; pause < faults.pauses(); pause++) {
            SimulatedProcess victim =
                    members.get(random.nextInt(members.size())).process();
            Duration length =
                    Duration.ofNanos(random.nextLong(faults.longestPause().toNanos()));
            time.at(Duration.ofMillis(random.nextLong(period)), () -> victim.pauseFor(length));
        }
        if (faults.kills() > 0) {
            SimulatedProcess victim =
                    members.get(random.nextInt(members.size())).process();
            time.at(Duration.ofMillis(random.nextLong(period)), victim::kill);
        }
    }

    private void violation(Violation kind, String what) {
        violations.add(kind.at(time.now(), what));
    }

    private void everyCallMustHaveEnded() {
        owners.stream()
                .filter(owner -> !owner.isDone())
                .forEach(owner -> violation(
                        Violation.NOT_SERVED, "owner " + owner + " did not get its locks although all was well again"));
    }

    private Stream<String> leftBehind() {
        return lockIds()
                .filter(lockId -> slots.everything(lockId).slots().stream()
                        .filter(slot -> slot.phase() != SlotPhase.IDLE && sessions.isAlive(slot.session()))
                        .anyMatch(slot -> members.stream()
                                .filter(member -> !member.process().isDead())
                                .anyMatch(member -> member.session().isConfirmed()
                                        && member.session().owns(slot.session()))));
    }

    private void nothingMustBlockOthers() {
        if (owners.stream().allMatch(Owner::isDone)) {
            leftBehind()
                    .forEach(lockId -> violation(
                            Violation.LEFT_BEHIND,
                            "no owner wants lock '" + lockId + "', but a slot of it is not idle"));
        }
    }

    final Stream<Holding> holdingsOf(Owner owner) {
        return holdings.stream().filter(held -> held.owner() == owner);
    }

    /** Takes locks and gives them back, so many times over. */
    abstract class Owner {

        final Member member;
        private int left;

        Owner(Member member, int rounds) {
            this.member = member;
            this.left = rounds;
        }

        /** Begins one round, which ends by {@link #end}. */
        abstract void begin();

        boolean isDone() {
            return left == 0 || member.process().isDead();
        }

        /** Follows a call, which may be cancelled. */
        final <T> void follow(
                CompletableFuture<T> call,
                Function<T, Optional<RemoteLocks>> locks,
                Consumer<Optional<RemoteLocks>> answered) {
            if (random.nextInt(6) == 0) {
                time.at(
                        Duration.ofMillis(random.nextLong(300)),
                        () -> member.process().run(() -> call.cancel(true)));
            }
            call.whenComplete((answer, failure) -> {
                if (failure != null && faults.faultPeriod().isZero() && !mayFail(call, failure)) {
                    violation(Violation.NOT_SERVED, "a call of owner " + this + " failed without a fault: " + failure);
                }
                answered.accept(failure == null ? locks.apply(answer) : Optional.empty());
            });
        }

        private boolean mayFail(CompletableFuture<?> call, Throwable failure) {
            return call.isCancelled()
                    || failure instanceof LockTimeoutException
                    || member.locker().isClosed();
        }

        final <H extends Holding> H granted(H held) {
            if (!held.locks().isHeld()) {
                violation(Violation.GIVEN_UNHELD, "owner " + this + " was given " + held + ", which is not held");
            }
            holdings.removeIf(other -> !other.locks().isHeld());
            holdings.stream()
                    .filter(held::conflictsWith)
                    .forEach(other ->
                            violation(Violation.TWO_HOLDERS, held + " was granted, and conflicts with " + other));
            holdings.add(held);
            return held;
        }

        final void close(Holding held) {
            if (faults.faultPeriod().isZero()
                    && !held.locks().isHeld()
                    && !member.locker().isClosed()) {
                violation(Violation.LOST_IN_VAIN, "owner " + this + " has lost " + held + " without a fault");
            }
            holdings.remove(held);
            held.locks().closeAsync();
        }

        final void end(List<? extends Holding> closing) {
            closing.forEach(this::close);
            left--;
            if (left > 0) {
                after(this::begin);
            }
        }

        final void after(Runnable action) {
            member.process().after(Duration.ofMillis(random.nextLong(40))).thenRun(action);
        }

        @Override
        public final String toString() {
            return owners.indexOf(this) + " of process " + member.number();
        }
    }
}

package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.MultiLockRequest;
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

/**
 * Owners of several processes that lock parts of one hierarchy, up to three one after the other, or the whole (lock modes, section 5). Each
 * part is behind the one before in the order of ids, so that owners do not wait for each other in a cycle, unless one of them
 * waits for itself.
 */
final class PathWorld {

    private static final LockPath ROOT = LockPath.of("root");
    private static final List<LockMode> WHOLE = List.of(
            LockMode.EXCLUSIVE,
            LockMode.PROTECTED_READ,
            LockMode.PROTECTED_WRITE,
            LockMode.CONCURRENT_READ,
            LockMode.NULL);
    private static final List<LockMode> PART = List.of(LockMode.EXCLUSIVE, LockMode.EXCLUSIVE, LockMode.PROTECTED_READ);
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final Duration AFTERMATH = Duration.ofSeconds(20);
    private static final double EPSILON = 0.05;
    private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));

    private final FaultModel faults;
    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedNetwork network;
    private final SimulatedSlots slots;
    private final SimulatedSessions sessions;
    private final SimulatedNotices notices;
    private final List<Member> members = new ArrayList<>();
    private final List<Held> holdings = new ArrayList<>();
    private final List<Owner> owners = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    private record Member(int number, SimulatedProcess process, SimulatedLocker locker, SessionLog session) {}

    /** What an owner was given. */
    private record Held(Owner owner, LockPath path, LockMode mode, RemoteLocks locks) {

        /** By what the modes mean, not by the locks that stand for it. */
        boolean conflictsWith(Held other) {
            if (owner == other.owner) {
                return false;
            } else if (path.equals(other.path)) {
                return !mode.isCompatibleWith(other.mode);
            } else if (path.equals(ROOT)) {
                return excludesBelow(mode, other.mode);
            }
            return other.path.equals(ROOT) && excludesBelow(other.mode, mode);
        }

        private static boolean excludesBelow(LockMode whole, LockMode part) {
            return switch (whole) {
                case EXCLUSIVE -> true;
                case PROTECTED_READ, PROTECTED_WRITE -> part == LockMode.EXCLUSIVE;
                default -> false;
            };
        }
    }

    private PathWorld(long seed) {
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

    /** @return what should not have happened */
    static List<String> run(long seed) {
        PathWorld world = new PathWorld(seed);
        world.misfortunes();
        for (Member member : world.members) {
            for (int owner = world.random.nextInt(1, 4); owner > 0; owner--) {
                world.owners.add(world.new Owner(member, world.random.nextInt(1, 5)));
            }
        }
        world.owners.forEach(Owner::begin);
        world.time.run(world.faults.faultPeriod());
        world.network.heal();
        world.notices.heal();
        world.members.forEach(member -> member.process().pauseNoMore());
        world.time.runUntil(() -> world.owners.stream().allMatch(Owner::isDone), PATIENCE);
        world.everyCallMustHaveEnded();
        world.time.runUntil(() -> world.leftBehind().findAny().isEmpty(), AFTERMATH);
        world.nothingMustBlockOthers();
        return world.violations;
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
                        Violation.NOT_SERVED, "owner " + owner + " did not get its paths although all was well again"));
    }

    private Stream<String> leftBehind() {
        return Stream.concat(Stream.of(ROOT), parts())
                .map(LockPath::getLockId)
                .filter(node -> slots.everything(node).slots().stream()
                        .filter(slot -> slot.phase() != SlotPhase.IDLE && sessions.isAlive(slot.session()))
                        .anyMatch(slot -> members.stream()
                                .filter(member -> !member.process().isDead())
                                .anyMatch(member -> member.session().isConfirmed()
                                        && member.session().owns(slot.session()))));
    }

    private static Stream<LockPath> parts() {
        return Stream.of("0", "1", "2", "3", "4", "5").map(ROOT::child);
    }

    private void nothingMustBlockOthers() {
        if (owners.stream().allMatch(Owner::isDone)) {
            leftBehind()
                    .forEach(node -> violation(
                            Violation.LEFT_BEHIND, "no owner wants lock '" + node + "', but a slot of it is not idle"));
        }
    }

    /** Locks the whole, or some parts, so many times over. */
    private final class Owner {

        private final Member member;
        private final LockOwner name = LockOwner.named("owner");
        private int left;

        Owner(Member member, int rounds) {
            this.member = member;
            this.left = rounds;
        }

        boolean isDone() {
            return left == 0 || member.process().isDead();
        }

        void begin() {
            if (random.nextInt(3) == 0) {
                ask(ROOT, WHOLE.get(random.nextInt(WHOLE.size())), List.of(), whole -> end(List.of(whole)));
            } else {
                takeParts(0, random.nextInt(2, 4), List.of());
            }
        }

        /** Takes so many more parts, each behind the one before. */
        private void takeParts(int from, int more, List<Held> taken) {
            LockPath part = ROOT.child("" + (from + random.nextInt(2)));
            LockMode mode = PART.get(random.nextInt(PART.size()));
            ask(part, mode, taken, held -> {
                List<Held> all = Stream.concat(taken.stream(), Stream.of(held)).toList();
                if (more > 1) {
                    takeParts(from + 2, more - 1, all);
                } else {
                    giveBack(new ArrayList<>(all));
                }
            });
        }

        /** One after the other, in any order. */
        private void giveBack(List<Held> all) {
            if (all.size() == 1) {
                end(all);
            } else {
                close(all.remove(random.nextInt(all.size())));
                after(() -> giveBack(all));
            }
        }

        /** @param taken is given back if the path is not granted */
        private void ask(LockPath path, LockMode mode, List<Held> taken, Consumer<Held> then) {
            MultiLockRequest request = MultiLockRequest.ofPath(path).mode(mode).owner(name);
            Consumer<Optional<RemoteLocks>> answered = locks -> {
                Optional<Held> held = locks.map(got -> granted(new Held(this, path, mode, got)));
                after(() -> held.ifPresentOrElse(then, () -> end(taken)));
            };
            if (random.nextInt(6) == 0) {
                follow(member.locker().tryGetLocksAsync(request), Function.identity(), answered);
            } else {
                follow(waiting(request), Optional::of, answered);
            }
        }

        /** With a time-out if the root has to be converted up: then it waits behind others, who may wait for this owner's first part. */
        private CompletableFuture<RemoteLocks> waiting(MultiLockRequest request) {
            LockMode needed = request.getRequests().get(0).getMode();
            boolean converts = holdings.stream()
                    .filter(held -> held.owner() == this)
                    .anyMatch(held -> !held.mode().getIntention().covers(needed));
            return converts
                    ? member.locker().getLocksAsync(request, Duration.ofMillis(random.nextLong(1, 3_000)))
                    : member.locker().getLocksAsync(request);
        }

        private <T> void follow(
                CompletableFuture<T> call,
                Function<T, Optional<RemoteLocks>> locks,
                Consumer<Optional<RemoteLocks>> answered) {
            if (random.nextInt(6) == 0) {
                time.at(
                        Duration.ofMillis(random.nextLong(300)),
                        () -> member.process().run(() -> call.cancel(true)));
            }
            call.whenComplete(
                    (answer, failure) -> answered.accept(failure == null ? locks.apply(answer) : Optional.empty()));
        }

        private Held granted(Held held) {
            if (!held.locks().isHeld()) {
                violation(
                        Violation.GIVEN_UNHELD, "owner " + this + " was given " + held.path() + ", which is not held");
            }
            holdings.removeIf(other -> !other.locks().isHeld());
            holdings.stream()
                    .filter(held::conflictsWith)
                    .forEach(other -> violation(
                            Violation.TWO_HOLDERS,
                            "owner " + this + " holds " + held.path() + " in mode " + held.mode() + " while owner "
                                    + other.owner() + " holds " + other.path() + " in mode " + other.mode()));
            holdings.add(held);
            return held;
        }

        private void close(Held held) {
            if (faults.faultPeriod().isZero() && !held.locks().isHeld()) {
                violation(Violation.LOST_IN_VAIN, "owner " + this + " has lost " + held.path() + " without a fault");
            }
            holdings.remove(held);
            held.locks().closeAsync();
        }

        private void end(List<Held> closing) {
            closing.forEach(this::close);
            left--;
            if (left > 0) {
                after(this::begin);
            }
        }

        private void after(Runnable action) {
            member.process().after(Duration.ofMillis(random.nextLong(40))).thenRun(action);
        }

        @Override
        public String toString() {
            return owners.indexOf(this) + " of process " + member.number();
        }
    }
}

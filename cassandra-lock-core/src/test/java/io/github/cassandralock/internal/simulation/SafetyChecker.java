package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.GrantedSlots;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records all events of one lock in all processes, and finds violations. */
public final class SafetyChecker {

    /** A thread that has asked for the lock. */
    record Arrival(TicketMember member, LockMode mode, int permits, int number, long instant) {

        boolean conflictsWith(Arrival other) {
            return !mode.isCompatibleWith(other.mode());
        }

        boolean mayHaveBegunAgain() {
            return !member.sessionLog().isConfirmed() || member.log().hasLostAPlace(mode, instant);
        }
    }

    /** A thread that got it. */
    static final class Holding {

        private final Arrival arrival;
        private final RemoteLock lock;
        private final Grant grant;
        private final Slot slot;

        /** As which the algorithm granted it. */
        private final LockMode atFirst;

        /** In the order of all grants and conversions. */
        private int number;

        /** When the number was given. */
        private LockMode mode;

        private long staysTakenUntil;
        private boolean leaseLost;
        private boolean seenUnheld;
        private boolean told;

        private Holding(Arrival arrival, RemoteLock lock, Grant grant, int number) {
            this.arrival = arrival;
            this.lock = lock;
            this.grant = grant;
            this.slot = GrantedSlots.of(grant);
            this.number = number;
            this.atFirst = GrantedSlots.mode(grant);
            this.mode = mode();
        }

        /** Its caller has yet to be told of a conversion. */
        private boolean hasAnotherMode() {
            return mode != mode();
        }

        private int permits() {
            return arrival.permits();
        }

        private boolean conflictsWith(Holding other) {
            return !mode().isCompatibleWith(other.mode());
        }

        /** The mode that was asked for, until the handle is converted. */
        private LockMode mode() {
            LockMode present = GrantedSlots.mode(grant);
            return present == atFirst ? arrival.mode() : present;
        }

        private SlotLog.Use use() {
            return arrival.member().log().use(slot);
        }

        /** Whether the process has no reason to consider a slot of the handle expired. */
        private boolean isConfirmed() {
            return GrantedSlots.all(grant)
                    .allMatch(own -> arrival.member().log().use(own).isConfirmed());
        }

        Grant grant() {
            return grant;
        }

        int process() {
            return arrival.member().number();
        }
    }

    /** One slot has gone before an attempt with another one. */
    private record Overtaking(SlotId first, SlotId overtaken, long attempt) {}

    /** A token, and how the lock was held when it was shown. */
    private record Shown(Holding holding, LockMode mode, int number, long token) {

        private boolean isOutOfOrderWith(Shown other) {
            return holding != other.holding
                    && !mode.isCompatibleWith(other.mode)
                    && number < other.number != token < other.token;
        }
    }

    private final List<Shown> shown = new ArrayList<>();
    private int numbers;

    /** One attempt of one session. */
    private record Attempted(UUID session, long attempt) {}

    private final Set<Attempted> broken = new HashSet<>();
    private final Map<Overtaking, Long> overtakings = new HashMap<>();

    /** On the clocks of the processes, until the caller has the lock. */
    private final IdentityHashMap<Grant, Long> grantedAt = new IdentityHashMap<>();

    private final ValueChecker values = new ValueChecker(this::violation);
    private final PeriodChecker periods = new PeriodChecker(this::violation);
    private final SimulatedTime time;
    private final SimulatedSessions sessions;
    private final List<Arrival> waiting = new ArrayList<>();
    private final List<Holding> holdings = new ArrayList<>();
    private final List<Holding> working = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int arrivals;

    SafetyChecker(SimulatedTime time, SimulatedSessions sessions) {
        this.time = time;
        this.sessions = sessions;
    }

    public List<String> violations() {
        return violations;
    }

    void violation(Violation kind, String what) {
        violations.add(kind.at(time.now(), what));
    }

    ValueChecker values() {
        return values;
    }

    PeriodChecker periods() {
        return periods;
    }

    Arrival arrived(TicketMember member, LockMode mode, int permits) {
        Arrival arrival = new Arrival(member, mode, permits, arrivals++, time.now());
        waiting.add(arrival);
        return arrival;
    }

    void endedWithoutLock(Arrival arrival) {
        waiting.remove(arrival);
    }

    /** Called when the algorithm has granted the lock. */
    void grantedByAlgorithm(int number, SimulatedProcess process, Grant grant) {
        if (!grant.isValid()) {
            violation(Violation.GIVEN_UNHELD, "process " + number + " made a grant that is not valid");
        }
        List<Holding> taken = holdings.stream()
                .filter(SafetyChecker::staysTaken)
                .filter(earlier -> !earlier.arrival
                        .mode()
                        .isCompatibleWith(GrantedSlots.of(grant).mode()))
                .toList();
        if (PermitUse.areTooMany(
                GrantedSlots.of(grant).permits(), taken.stream().map(Holding::permits))) {
            violation(
                    Violation.TAKEN_TOO_EARLY,
                    "process " + number + " got the lock while that of process "
                            + taken.get(0).process() + " stays taken for a minimum time");
        }
        grantedAt.put(grant, process.nanos());
    }

    /** The minimum time of the request has not passed, and the process has no reason to consider its lease lost. */
    private static boolean staysTaken(Holding holding) {
        TicketMember member = holding.arrival.member();
        return member.process().nanos() < holding.staysTakenUntil
                && !member.process().isDead()
                && !member.timers().isBrokenDown()
                && !holding.leaseLost
                && holding.isConfirmed()
                && member.sessionLog().isConfirmed();
    }

    /** Whether a lock of this process, which may have ended, has to stay taken. */
    boolean staysTakenBy(TicketMember member) {
        return holdings.stream()
                .anyMatch(holding ->
                        holding.process() == member.number() && member.process().nanos() < holding.staysTakenUntil);
    }

    /** @param atLeast how long the lock has to stay taken, from the algorithm's grant on */
    Holding granted(Arrival arrival, RemoteLock lock, Grant grant, Duration atLeast) {
        waiting.remove(arrival);
        Holding holding = new Holding(arrival, lock, grant, numbers++);
        holding.staysTakenUntil = Objects.requireNonNull(grantedAt.remove(grant)) + atLeast.toNanos();
        if (!lock.isHeld()) {
            violation(Violation.GIVEN_UNHELD, "process " + holding.process() + " was given a lock that is not held");
        }
        noOthersMayHold(holding, working);
        noThreadOfTheProcessIsOvertaken(holding);
        noOtherProcessIsOvertaken(holding);
        holdings.add(holding);
        working.add(holding);
        return holding;
    }

    /** The least number of permits of all that hold the lock together is the highest number of holders. */
    private void noOthersMayHold(Holding holding, List<Holding> others) {
        List<Holding> holders = others.stream()
                .filter(other -> other != holding && other.lock.isHeld() && holding.conflictsWith(other))
                .toList();
        if (PermitUse.areTooMany(holding.permits(), holders.stream().map(Holding::permits))) {
            violation(
                    Violation.TWO_HOLDERS,
                    "process " + holding.process() + " holds the lock with " + holding.permits()
                            + " permits while process "
                            + holders.get(holders.size() - 1).process() + " does, and "
                            + (holders.size() - 1) + " others");
        }
    }

    /** Asks every handle, at any instant, whether it is held. */
    void look() {
        List<Holding> holders = new ArrayList<>();
        for (Holding holding : working) {
            boolean held = holding.lock.isHeld();
            if (held && holding.seenUnheld) {
                violation(
                        Violation.HELD_AGAIN, "a handle of process " + holding.process() + " was not held, and is now");
            }
            holding.seenUnheld |= !held;
            if (held) {
                noOthersMayHold(holding, holders);
                holders.add(holding);
            }
        }
    }

    /** None of a process's handles may say that it is held. */
    void nothingIsHeldBy(TicketMember member) {
        working.stream()
                .filter(holding -> holding.process() == member.number() && holding.lock.isHeld())
                .forEach(holding -> violation(
                        Violation.TWO_HOLDERS,
                        "process " + holding.process() + " holds the lock after its locker's end"));
    }

    /**
     * Requests of one process are served in the order of their arrival if they conflict. If the attempt of one of them comes to
     * nothing, others whose tickets are certain go before it, unless they have its mode. A slot is handed over past none of them.
     */
    private void noThreadOfTheProcessIsOvertaken(Holding holding) {
        Arrival granted = holding.arrival;
        List<Arrival> before = waiting.stream()
                .filter(other ->
                        other.member().number() == granted.member().number() && other.number() < granted.number())
                .filter(granted::conflictsWith)
                .filter(other -> useOneSlot(other, granted) || !other.mayHaveBegunAgain())
                .toList();
        if (PermitUse.areTooMany(granted.permits(), before.stream().map(Arrival::permits))
                || (!before.isEmpty() && isHandedOver(holding))) {
            violation(
                    Violation.OVERTAKEN_INSIDE,
                    "a thread of process " + granted.member().number() + " overtook another one of the same process");
        }
    }

    /** Whether another thread of the process held the lock by the same attempt before. */
    private boolean isHandedOver(Holding holding) {
        return holdings.stream().anyMatch(earlier -> Bakery.isSameAttempt(earlier.slot, holding.slot));
    }

    private static boolean useOneSlot(Arrival one, Arrival other) {
        return one.mode() == other.mode() && one.permits() == 1 && other.permits() == 1;
    }

    /**
     * A slot that had its ticket before another attempt began is served before it if the two conflict, as long as its session
     * and the slot live.
     */
    private void noOtherProcessIsOvertaken(Holding granted) {
        long begun = granted.use().announcedAt();
        List<SlotLog.Use> before = waiting.stream()
                .filter(other -> other.member().number() != granted.process())
                .filter(other -> !other.member().process().isDead())
                .filter(granted.arrival::conflictsWith)
                .flatMap(other -> other.member()
                        .log()
                        .uses()
                        .filter(use -> use.last().mode().equals(other.mode()))
                        .filter(use -> !use.last().isConversion()))
                .distinct()
                .filter(use -> use.hadTicketBefore(begun) && isUndisturbed(use))
                .filter(use -> isOvertakenTooOften(granted.use().last(), use.last()))
                .toList();
        if (PermitUse.areTooMany(
                granted.permits(), before.stream().map(use -> use.last().permits()))) {
            violation(
                    Violation.OVERTAKEN,
                    "process " + granted.process() + " overtook a slot that had its ticket before: "
                            + granted.use().last() + " before "
                            + before.get(before.size() - 1).last());
        }
    }

    /**
     * A session that comes back with RETICKET draws its ticket above every one that it knows. One that it does not know may
     * be higher, so one of its attempts may go before the same attempt.
     */
    private boolean isOvertakenTooOften(Slot first, Slot overtaken) {
        return first.phase() != SlotPhase.RETICKETED
                || first.attempt()
                        != overtakings.computeIfAbsent(
                                new Overtaking(first.id(), overtaken.id(), overtaken.attempt()),
                                none -> first.attempt());
    }

    private boolean isUndisturbed(SlotLog.Use use) {
        return sessions.isAlive(use.last().session()) && use.isConfirmed();
    }

    /** The handle has another mode, or is about to have a weaker one. */
    void converted(Holding holding) {
        holding.number = numbers++;
        holding.mode = holding.mode();
        if (holding.lock.isHeld()) {
            noOthersMayHold(holding, working);
        }
    }

    /** It may fail, but not by a fault of the algorithm. */
    void conversionEnded(@Nullable Throwable failure) {
        requestEnded(failure);
    }

    /** A request without a lock, or a conversion, may fail, but not by a fault of the algorithm. */
    void requestEnded(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ArithmeticException
                || cause instanceof NullPointerException
                || cause instanceof ClassCastException
                || cause instanceof NoSuchElementException) {
            violation(Violation.NOT_SERVED, "a request failed: " + cause);
        }
    }

    /** Whether somebody waits for long, although a permit is free. */
    PermitUse permits() {
        return PermitUse.of(
                waiting,
                holdings.stream()
                        .filter(holder -> staysTaken(holder) || (working.contains(holder) && holder.lock.isHeld()))
                        .map(Holding::permits),
                time.now());
    }

    void releasing(Holding holding) {
        working.remove(holding);
    }

    /** The holder with this slot has been asked to give the lock up. */
    void broken(Slot slot) {
        broken.add(new Attempted(slot.session(), slot.attempt()));
    }

    private boolean wasBroken(Slot slot) {
        return broken.contains(new Attempted(slot.session(), slot.attempt()));
    }

    /**
     * A lock is lost only if its lease is over, its session was declared dead, its slot may have expired, or exactly this attempt
     * was broken.
     */
    void lost(Holding holding) {
        holding.leaseLost = true;
        TicketMember member = holding.arrival.member();
        if (holding.isConfirmed()
                && member.sessionLog().isConfirmed()
                && !member.isEnding()
                && GrantedSlots.all(holding.grant).noneMatch(this::wasBroken)) {
            violation(
                    Violation.LOST_IN_VAIN, "process " + holding.process() + " took its lock for lost, but it was not");
        }
    }

    /** The holder's callback has run. */
    void told(Holding holding) {
        holding.told = true;
    }

    /** At the end of a schedule, each holder whose lock was lost while it worked must have received the loss. */
    void everyLossWasTold() {
        lossesNotTold()
                .forEach(holding -> violation(
                        Violation.NEVER_TOLD, "process " + holding.process() + " was not told that its lock was lost"));
    }

    List<Holding> lossesNotTold() {
        return holdings.stream()
                .filter(holding -> holding.seenUnheld && !holding.told)
                .filter(holding -> !holding.arrival.member().process().isDead())
                .toList();
    }

    /** Tokens grow with the order of the grants, whenever they are asked for, and are shown to holders alone. */
    void shown(Holding holding, long token) {
        if (!holding.grant.isValid()) {
            violation(
                    Violation.TOKEN_OF_LOST_LOCK,
                    "process " + holding.process() + " was shown a token of a lock that it did not hold any more");
        }
        if (holding.hasAnotherMode()) {
            converted(holding);
        }
        Shown now = new Shown(holding, holding.mode(), holding.number, token);
        shown.stream()
                .filter(now::isOutOfOrderWith)
                .forEach(other -> violation(
                        Violation.TOKEN_ORDER,
                        "grant " + now.number() + " (" + now.mode() + ") showed the token " + token + ", grant "
                                + other.number() + " (" + other.mode() + ") showed " + other.token()));
        shown.add(now);
    }
}

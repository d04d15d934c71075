package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records all events of one lock in all processes, and finds violations. */
public final class SafetyChecker {

    /** A thread that has asked for the lock. */
    record Arrival(TicketWorld.Member member, int number) {}

    /** A thread that got it. The token is 0 until it is shown. */
    static final class Holding {

        private final Arrival arrival;
        private final RemoteLock lock;
        private final Grant grant;
        private final int number;
        private long staysTakenUntil;
        private boolean leaseLost;
        private boolean seenUnheld;
        private boolean told;
        private long token;

        private Holding(Arrival arrival, RemoteLock lock, Grant grant, int number) {
            this.arrival = arrival;
            this.lock = lock;
            this.grant = grant;
            this.number = number;
        }

        Grant grant() {
            return grant;
        }

        private int process() {
            return arrival.member().number();
        }
    }

    /** One session has gone before an attempt of another one. */
    private record Overtaking(UUID first, UUID overtaken, long attempt) {}

    /** One attempt of one session. */
    private record Attempted(UUID session, long attempt) {}

    private final Set<Attempted> broken = new HashSet<>();
    private final Map<Overtaking, Long> overtakings = new HashMap<>();

    /** On the clocks of the processes, until the caller has the lock. */
    private final IdentityHashMap<Grant, Long> grantedAt = new IdentityHashMap<>();

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

    Arrival arrived(TicketWorld.Member member) {
        Arrival arrival = new Arrival(member, arrivals++);
        waiting.add(arrival);
        return arrival;
    }

    void left(Arrival arrival) {
        waiting.remove(arrival);
    }

    /** Called when the algorithm has granted the lock. */
    void grantedByAlgorithm(int number, SimulatedProcess process, Grant grant) {
        if (!grant.isValid()) {
            violation(Violation.GIVEN_UNHELD, "process " + number + " made a grant that is not valid");
        }
        holdings.stream()
                .filter(SafetyChecker::staysTaken)
                .forEach(earlier -> violation(
                        Violation.TAKEN_TOO_EARLY,
                        "process " + number + " got the lock while that of process " + earlier.process()
                                + " stays taken for a minimum time"));
        grantedAt.put(grant, process.nanos());
    }

    /** The minimum time of the request has not passed, and the process has no reason to consider its lease lost. */
    private static boolean staysTaken(Holding holding) {
        TicketWorld.Member member = holding.arrival.member();
        return member.process().nanos() < holding.staysTakenUntil
                && !member.process().isDead()
                && !member.timers().isBrokenDown()
                && !holding.leaseLost
                && member.log().isConfirmed()
                && member.sessionLog().isConfirmed();
    }

    /** Whether a lock of this process, which may have ended, has to stay taken. */
    boolean staysTakenBy(TicketWorld.Member member) {
        return holdings.stream()
                .anyMatch(holding ->
                        holding.process() == member.number() && member.process().nanos() < holding.staysTakenUntil);
    }

    /** @param atLeast how long the lock has to stay taken, from the algorithm's grant on */
    Holding granted(Arrival arrival, RemoteLock lock, Grant grant, Duration atLeast) {
        waiting.remove(arrival);
        Holding holding = new Holding(arrival, lock, grant, holdings.size());
        holding.staysTakenUntil = Objects.requireNonNull(grantedAt.remove(grant)) + atLeast.toNanos();
        if (!lock.isHeld()) {
            violation(Violation.GIVEN_UNHELD, "process " + holding.process() + " was given a lock that is not held");
        }
        working.forEach(other -> noOtherMayHold(holding, other));
        noThreadOfTheProcessIsOvertaken(arrival);
        noOtherProcessIsOvertaken(arrival);
        holdings.add(holding);
        working.add(holding);
        return holding;
    }

    private void noOtherMayHold(Holding holding, Holding other) {
        if (other.lock.isHeld()) {
            violation(
                    Violation.TWO_HOLDERS,
                    "process " + holding.process() + " holds the lock while process " + other.process() + " does");
        }
    }

    /** Asks every handle, at any instant, whether it is held. */
    void look() {
        Holding holder = null;
        for (Holding holding : working) {
            boolean held = holding.lock.isHeld();
            if (held && holding.seenUnheld) {
                violation(
                        Violation.HELD_AGAIN, "a handle of process " + holding.process() + " was not held, and is now");
            }
            holding.seenUnheld |= !held;
            if (held && holder != null) {
                noOtherMayHold(holding, holder);
            }
            holder = held ? holding : holder;
        }
    }

    /** None of a process's handles may say that it is held. */
    void nothingIsHeldBy(TicketWorld.Member member) {
        working.stream()
                .filter(holding -> holding.process() == member.number() && holding.lock.isHeld())
                .forEach(holding -> violation(
                        Violation.TWO_HOLDERS,
                        "process " + holding.process() + " holds the lock after its locker's end"));
    }

    private void noThreadOfTheProcessIsOvertaken(Arrival granted) {
        waiting.stream()
                .filter(other ->
                        other.member().number() == granted.member().number() && other.number() < granted.number())
                .forEach(other -> violation(
                        Violation.OVERTAKEN_INSIDE,
                        "a thread of process " + granted.member().number()
                                + " overtook another one of the same process"));
    }

    /**
     * A slot that had its ticket before another attempt began is served before it, as long as its session and the slot
     * live.
     */
    private void noOtherProcessIsOvertaken(Arrival granted) {
        long begun = granted.member().log().announcedAt();
        waiting.stream()
                .map(Arrival::member)
                .filter(other -> other.number() != granted.member().number()
                        && !other.process().isDead())
                .distinct()
                .filter(other -> other.log().hadTicketBefore(begun) && isUndisturbed(other))
                .filter(other -> isOvertakenTooOften(granted.member(), other))
                .forEach(other -> violation(
                        Violation.OVERTAKEN,
                        "process " + granted.member().number() + " overtook process " + other.number()
                                + ", which had its ticket before: "
                                + granted.member().log().last() + " before "
                                + other.log().last()));
    }

    /**
     * A session that comes back with RETICKET draws its ticket above every one that it knows. One that it does not know may
     * be higher, so one of its attempts may go before the same attempt.
     */
    private boolean isOvertakenTooOften(TicketWorld.Member granted, TicketWorld.Member other) {
        Slot first = granted.log().last();
        Slot overtaken = other.log().last();
        return first == null
                || overtaken == null
                || first.phase() != SlotPhase.RETICKETED
                || first.attempt()
                        != overtakings.computeIfAbsent(
                                new Overtaking(first.session(), overtaken.session(), overtaken.attempt()),
                                none -> first.attempt());
    }

    private boolean isUndisturbed(TicketWorld.Member member) {
        UUID session = member.log().session();
        return session != null && sessions.isAlive(session) && member.log().isConfirmed();
    }

    void releasing(Holding holding) {
        working.remove(holding);
    }

    /** The holder with this slot has been asked to give the lock up. */
    void broken(Slot slot) {
        broken.add(new Attempted(slot.session(), slot.attempt()));
    }

    private boolean wasBroken(@Nullable Slot slot) {
        return slot != null && broken.contains(new Attempted(slot.session(), slot.attempt()));
    }

    /**
     * A lock is lost only if its lease is over, its session was declared dead, its slot may have expired, or exactly this attempt
     * was broken.
     */
    void lost(Holding holding) {
        holding.leaseLost = true;
        TicketWorld.Member member = holding.arrival.member();
        if (member.log().isConfirmed()
                && member.sessionLog().isConfirmed()
                && !member.isEnding()
                && !wasBroken(member.log().last())) {
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
        for (Holding other : holdings) {
            if (other.token != 0 && other != holding && other.number < holding.number != other.token < token) {
                violation(
                        Violation.TOKEN_ORDER,
                        "grant " + holding.number + " showed the token " + token + ", grant " + other.number
                                + " showed " + other.token);
            }
        }
        holding.token = token;
    }
}

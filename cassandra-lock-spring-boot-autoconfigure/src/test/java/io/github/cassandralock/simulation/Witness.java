package io.github.cassandralock.simulation;

import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Sees everything that happens to one lock, in all processes, and says what should not have happened. */
public final class Witness {

    /** A thread that has asked for the lock. */
    record Arrival(TicketWorld.Member member, int number) {}

    /** A thread that got it. The token is 0 until it is shown. */
    static final class Holding {

        private final Arrival arrival;
        private final Grant grant;
        private final int number;
        private boolean releasing;
        private long token;

        private Holding(Arrival arrival, Grant grant, int number) {
            this.arrival = arrival;
            this.grant = grant;
            this.number = number;
        }
    }

    private final SimulatedTime time;
    private final SimulatedSessions sessions;
    private final List<Arrival> waiting = new ArrayList<>();
    private final List<Holding> holdings = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int arrivals;

    Witness(SimulatedTime time, SimulatedSessions sessions) {
        this.time = time;
        this.sessions = sessions;
    }

    public List<String> violations() {
        return violations;
    }

    void violation(String what) {
        violations.add("at " + Duration.ofNanos(time.now()) + ": " + what);
    }

    Arrival arrived(TicketWorld.Member member) {
        Arrival arrival = new Arrival(member, arrivals++);
        waiting.add(arrival);
        return arrival;
    }

    void left(Arrival arrival) {
        waiting.remove(arrival);
    }

    Holding granted(Arrival arrival, Grant grant) {
        waiting.remove(arrival);
        Holding holding = new Holding(arrival, grant, holdings.size());
        if (!grant.isValid()) {
            violation("process " + number(holding) + " was given a lock whose lease was over");
        }
        holdings.forEach(other -> nobodyElseMayHold(holding, other));
        nobodyIsOvertakenInTheProcess(arrival);
        nobodyIsOvertakenElsewhere(arrival);
        holdings.add(holding);
        return holding;
    }

    private void nobodyElseMayHold(Holding holding, Holding other) {
        if (!other.releasing && other.grant.isValid()) {
            violation("process " + number(holding) + " holds the lock while process " + number(other) + " does");
        }
    }

    private static int number(Holding holding) {
        return holding.arrival.member().number();
    }

    private void nobodyIsOvertakenInTheProcess(Arrival granted) {
        waiting.stream()
                .filter(other ->
                        other.member().number() == granted.member().number() && other.number() < granted.number())
                .forEach(other -> violation("a thread of process "
                        + granted.member().number() + " overtook another one of the same process"));
    }

    /** Whoever had its ticket before another began goes before it, as long as it lives and its slot does. */
    private void nobodyIsOvertakenElsewhere(Arrival granted) {
        long begun = granted.member().log().announcedAt();
        waiting.stream()
                .map(Arrival::member)
                .filter(other -> other.number() != granted.member().number()
                        && !other.process().isDead())
                .distinct()
                .filter(other -> other.log().hadTicketBefore(begun) && isUndisturbed(other))
                .forEach(other -> violation("process " + granted.member().number() + " overtook process "
                        + other.number() + ", which had its ticket before"));
    }

    private boolean isUndisturbed(TicketWorld.Member member) {
        UUID session = member.log().session();
        return session != null && sessions.isAlive(session) && member.log().isConfirmed();
    }

    void releasing(Holding holding) {
        holding.releasing = true;
    }

    /** A lock is lost only if its lease is over, its session was declared dead, or its slot may have expired. */
    void lost(Holding holding, String reason) {
        TicketWorld.Member member = holding.arrival.member();
        if (member.log().isConfirmed() && member.sessionLog().isConfirmed()) {
            violation("process " + number(holding) + " took its lock for lost, but it was not: " + reason);
        }
    }

    /** Tokens grow with the order of the grants, whenever they are asked for, and are shown to holders alone. */
    void shown(Holding holding, long token) {
        if (!holding.grant.isValid()) {
            violation("process " + number(holding) + " was shown a token of a lock that it did not hold any more");
        }
        for (Holding other : holdings) {
            if (other.token != 0 && other != holding && other.number < holding.number != other.token < token) {
                violation("grant " + holding.number + " showed the token " + token + ", grant " + other.number
                        + " showed " + other.token);
            }
        }
        holding.token = token;
    }
}

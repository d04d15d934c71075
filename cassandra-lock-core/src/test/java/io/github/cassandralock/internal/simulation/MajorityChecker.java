package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds violations among the grants of one lock. A look at a grant ends it for good if it is over, so looks of the
 * checker would hide what happens if nobody looks: most of the time it believes what holders claim when they have
 * worked.
 */
final class MajorityChecker {

    /** One grant, from the instant at which it was made. */
    static final class Holding {

        private final SimulatedProcess process;
        private final int number;
        private final Grant grant;
        private final long from;

        /** The last instant at which its holder said that it is held. */
        private long until;

        private boolean seenUnheld;
        private boolean released;

        private Holding(SimulatedProcess process, int number, Grant grant, long from) {
            this.process = process;
            this.number = number;
            this.grant = grant;
            this.from = from;
            this.until = from;
        }

        Grant grant() {
            return grant;
        }

        private boolean overlaps(Holding other) {
            return other != this && from < other.until && other.from < until;
        }
    }

    private record Shown(Holding holding, long token) {}

    private final SimulatedTime time;
    private final List<Holding> holdings = new ArrayList<>();
    private final List<Shown> shown = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    MajorityChecker(SimulatedTime time) {
        this.time = time;
    }

    List<String> violations() {
        return violations;
    }

    void violation(Violation kind, String what) {
        violations.add(kind.at(time.now(), what));
    }

    Holding granted(SimulatedProcess process, int number, Grant grant) {
        Holding holding = new Holding(process, number, grant, time.now());
        holdings.add(holding);
        if (!grant.isValid()) {
            violation(Violation.GIVEN_UNHELD, "process " + number + " was given a lock that is not held");
        }
        return holding;
    }

    /** Its holder looks, and claims that it has held the lock from the grant until now. */
    boolean claims(Holding holding) {
        boolean held = isHeld(holding);
        if (held) {
            holding.until = time.now();
            holdings.stream()
                    .filter(holding::overlaps)
                    .forEach(other -> violation(
                            Violation.TWO_HOLDERS,
                            "process " + holding.number + " has held the lock since " + Duration.ofNanos(holding.from)
                                    + ", and process " + other.number + " from " + Duration.ofNanos(other.from)
                                    + " to " + Duration.ofNanos(other.until)));
        }
        return held;
    }

    private boolean isHeld(Holding holding) {
        boolean held = holding.grant.isValid();
        if (held && holding.seenUnheld) {
            violation(Violation.HELD_AGAIN, "a lock of process " + holding.number + " was not held, and is now");
        }
        holding.seenUnheld |= !held;
        if (!held && !holding.grant.getLoss().toCompletableFuture().isDone()) {
            violation(Violation.NEVER_TOLD, "process " + holding.number + " was not told that its lock was lost");
        }
        return held;
    }

    /** Looks at all grants at once. */
    void look() {
        holdings.stream()
                .filter(holding -> !holding.released && !holding.process.isDead())
                .forEach(this::claims);
    }

    void released(Holding holding) {
        holding.released = true;
    }

    /** Tokens grow with the order of the grants, whenever they are asked for. */
    void shown(Holding holding, long token) {
        shown.stream()
                .filter(other -> other.holding != holding)
                .filter(other -> other.holding.from < holding.from != other.token < token)
                .forEach(other -> violation(
                        Violation.TOKEN_ORDER,
                        "token " + token + " of the grant at " + Duration.ofNanos(holding.from) + ", and " + other.token
                                + " of that at " + Duration.ofNanos(other.holding.from)));
        shown.add(new Shown(holding, token));
    }
}

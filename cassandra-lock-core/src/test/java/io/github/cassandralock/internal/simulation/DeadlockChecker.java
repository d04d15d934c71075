package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records when each caller held and waited for which lock, and compares the cycles of exceptions with it. Who waits for a
 * caller that is ahead in a queue is taken for granted if their modes conflict: the order of tickets is not looked at.
 */
final class DeadlockChecker {

    /** The longest time that three readings take, if each of them is as late as it may be. */
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(25);

    /** For so long after its end others may see the slot of a caller, because its release is late. */
    private static final Duration LATE = Duration.ofSeconds(25);

    private static final long EVER = Long.MAX_VALUE;

    /** One caller. */
    static final class Party {

        private final String name;
        private final String process;
        private final List<Waiting> waits = new ArrayList<>();
        private final List<Holding> holds = new ArrayList<>();
        private long diedAt = EVER;

        private Party(String name, String process) {
            this.name = name;
            this.process = process;
        }

        @Override
        public String toString() {
            return name + " of " + process;
        }
    }

    /** A call that waited. */
    static final class Waiting {

        private final Party party;
        private final String lock;
        private final LockMode mode;
        private final int permits;
        private final @Nullable Grant converted;
        private final LockMode from;
        private final long since;
        private long until = EVER;

        private Waiting(Party party, String lock, LockMode mode, int permits, @Nullable Grant converted, long since) {
            this.party = party;
            this.lock = lock;
            this.mode = mode;
            this.permits = permits;
            this.converted = converted;
            this.from = converted == null ? LockMode.NULL : converted.getMode().orElseThrow();
            this.since = since;
        }

        boolean converts(Grant grant) {
            return converted == grant;
        }

        private boolean isAt(long instant) {
            return since <= instant && instant < until;
        }
    }

    /** A lock that was held, in one mode. */
    private static final class Holding {

        private final String lock;
        private final LockMode mode;
        private final int permits;
        private final Grant grant;
        private final long since;
        private long until = EVER;

        private Holding(String lock, int permits, Grant grant, long since) {
            this.lock = lock;
            this.permits = permits;
            this.grant = grant;
            this.mode = grant.getMode().orElseThrow();
            this.since = since;
        }

        private boolean isAt(long instant) {
            return since <= instant && instant < until;
        }
    }

    /** What an exception told, and which waits that were. */
    private record Told(Set<Waiting> waits) {}

    private final SimulatedTime time;
    private final List<Party> parties = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();

    DeadlockChecker(SimulatedTime time) {
        this.time = time;
    }

    List<String> violations() {
        return violations;
    }

    void violation(Violation kind, String what) {
        violations.add(kind.at(time.now(), what));
    }

    Party newParty(@Nullable LockOwner owner, int process) {
        Party party = new Party(
                owner == null ? "owner 'a caller that named no owner'" : owner.toString(), "process " + process);
        parties.add(party);
        return party;
    }

    Waiting waits(Party party, String lock, LockMode mode, int permits, @Nullable Grant converted) {
        Waiting waiting = new Waiting(party, lock, mode, permits, converted, time.now());
        party.waits.add(waiting);
        return waiting;
    }

    void ended(Waiting waiting) {
        waiting.until = Math.min(waiting.until, time.now());
    }

    void holds(Party party, String lock, int permits, Grant grant) {
        Holding holding = new Holding(lock, permits, grant, time.now());
        party.holds.add(holding);
        grant.getLoss().thenRun(() -> released(party, grant));
    }

    void released(Party party, Grant grant) {
        party.holds.stream()
                .filter(holding -> holding.grant == grant)
                .forEach(holding -> holding.until = Math.min(holding.until, time.now()));
    }

    /** Handles of the caller may have been converted. */
    void modesHaveChanged(Party party) {
        List.copyOf(party.holds).stream()
                .filter(holding -> holding.until == EVER)
                .filter(holding -> holding.mode != holding.grant.getMode().orElseThrow())
                .forEach(holding -> {
                    holding.until = time.now();
                    party.holds.add(new Holding(holding.lock, holding.permits, holding.grant, time.now()));
                });
    }

    String lockOf(Grant grant) {
        return holding(grant).lock;
    }

    boolean isPermit(Grant grant) {
        return holding(grant).permits > 1;
    }

    private Holding holding(Grant grant) {
        return parties.stream()
                .flatMap(party -> party.holds.stream())
                .filter(holding -> holding.grant == grant)
                .findFirst()
                .orElseThrow();
    }

    void died(Party party) {
        party.diedAt = time.now();
        party.waits.forEach(this::ended);
        party.holds.forEach(holding -> holding.until = Math.min(holding.until, time.now()));
    }

    /** For people. */
    String state(Party party) {
        return party.waits.stream()
                        .filter(waiting -> waiting.until == EVER)
                        .map(waiting -> "waits for " + waiting.lock + " in mode " + waiting.mode)
                        .collect(Collectors.joining(" and "))
                + party.holds.stream()
                        .filter(holding -> holding.until == EVER)
                        .map(holding -> holding.lock + " in mode " + holding.mode)
                        .collect(Collectors.joining(", ", " and holds ", ""));
    }

    /** A call was ended because of a deadlock. */
    void victim(Waiting victim, LockDeadlockException deadlock) {
        List<Waiting> real = realCycle(victim, deadlock.getCycle());
        if (real.isEmpty()) {
            violation(
                    Violation.NO_DEADLOCK,
                    victim.party + " was ended, but there was no such cycle: " + deadlock.getMessage());
        } else {
            Told now = new Told(Set.copyOf(real));
            if (told.contains(now)) {
                violation(Violation.TWO_VICTIMS, "two calls of one cycle were ended: " + deadlock.getMessage());
            }
            told.add(now);
        }
    }

    /** The waits of the cycle, if all of them waited for each other at one instant during the check. */
    private List<Waiting> realCycle(Waiting victim, List<LockDeadlockException.Wait> cycle) {
        long earliest = time.now() - LONGEST_CHECK.toNanos();
        return instants(earliest)
                .mapToObj(instant -> cycleAt(instant, List.of(victim), cycle))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** A cycle that began before, or meanwhile: at each beginning of something. The latest comes first. */
    private LongStream instants(long earliest) {
        return LongStream.concat(
                        LongStream.of(earliest, time.now() - 1),
                        parties.stream()
                                .flatMapToLong(party -> LongStream.concat(
                                        party.waits.stream().mapToLong(waiting -> waiting.since),
                                        party.holds.stream().mapToLong(holding -> holding.since)))
                                .filter(since -> since >= earliest))
                .distinct()
                .map(instant -> -instant)
                .sorted()
                .map(instant -> -instant);
    }

    private List<Waiting> cycleAt(long instant, List<Waiting> begun, List<LockDeadlockException.Wait> cycle) {
        Waiting last = begun.get(begun.size() - 1);
        if (!last.isAt(instant)) {
            return List.of();
        }
        if (begun.size() == cycle.size()) {
            return waitsFor(last, begun.get(0), instant) && areStuck(begun, instant) ? begun : List.of();
        }
        return waits(cycle.get(begun.size()), instant)
                .filter(next -> !begun.contains(next) && waitsFor(last, next, instant))
                .map(next -> cycleAt(
                        instant, Stream.concat(begun.stream(), Stream.of(next)).toList(), cycle))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** In a cycle without permits, each waits for the next one alone. */
    private boolean areStuck(List<Waiting> cycle, long instant) {
        return cycle.stream().allMatch(waiting -> waiting.permits == 1)
                || stuckAt(instant).containsAll(cycle);
    }

    /** The waits that could not end before another one of them ended: all others are taken out until nothing changes. */
    private Set<Waiting> stuckAt(long instant) {
        Set<Waiting> stuck = parties.stream()
                .flatMap(party -> party.waits.stream())
                .filter(waiting -> waiting.isAt(instant))
                .collect(Collectors.toSet());
        while (stuck.removeIf(waiting -> !isHeldUp(waiting, stuck, instant))) {
            // once more
        }
        return stuck;
    }

    private boolean isHeldUp(Waiting one, Set<Waiting> stuck, long instant) {
        if (one.permits == 1) {
            return stuck.stream().anyMatch(other -> waitsFor(one, other, instant));
        }
        List<Holding> inUse = stuck.stream()
                .map(waiting -> waiting.party)
                .distinct()
                .filter(party -> party != one.party)
                .flatMap(party -> party.holds.stream())
                .filter(holding -> holding.isAt(instant)
                        && holding.lock.equals(one.lock)
                        && !holding.mode.isCompatibleWith(one.mode))
                .toList();
        int permits = Stream.of(
                        Stream.of(one.permits),
                        inUse.stream().map(holding -> holding.permits),
                        between(one, instant).map(waiting -> waiting.permits))
                .flatMap(numbers -> numbers)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return (!inUse.isEmpty() && inUse.size() >= permits)
                || stuck.stream().anyMatch(other -> other.converted != null && isBehind(one, other));
    }

    /** Requests that may be ahead, and may have fewer permits. */
    private Stream<Waiting> between(Waiting one, long instant) {
        return parties.stream()
                .flatMap(party -> party.waits.stream())
                .filter(waiting -> mayBeBetween(waiting, instant) && isBehind(one, waiting));
    }

    private Stream<Waiting> waits(LockDeadlockException.Wait told, long instant) {
        return parties.stream()
                .filter(party -> party.name.equals(told.owner()) && party.process.equals(told.process()))
                .flatMap(party -> party.waits.stream())
                .filter(waiting ->
                        waiting.isAt(instant) && waiting.lock.equals(told.lockId()) && waiting.mode == told.mode());
    }

    private boolean waitsFor(Waiting one, Waiting other, long instant) {
        List<Waiting> reached = new ArrayList<>(List.of(one));
        List<Waiting> between = parties.stream()
                .flatMap(party -> party.waits.stream())
                .filter(waiting -> mayBeBetween(waiting, instant))
                .toList();
        for (int place = 0; place < reached.size(); place++) {
            Waiting last = reached.get(place);
            if (waitsForHolder(last.lock, last.mode, last.converted, other, instant) || isBehind(last, other)) {
                return true;
            }
            between.stream()
                    .filter(next -> !reached.contains(next) && isBehind(last, next))
                    .toList()
                    .forEach(reached::add);
        }
        return false;
    }

    /**
     * A request is passed through as long as its slot is seen, but not that of a process that has died. A conversion is no
     * such request.
     */
    private static boolean mayBeBetween(Waiting between, long instant) {
        return between.converted == null
                && between.since <= instant
                && instant < between.party.diedAt
                && (between.until == EVER || instant < between.until + LATE.toNanos());
    }

    private static boolean waitsForHolder(
            String lock, LockMode mode, @Nullable Grant except, Waiting other, long instant) {
        return other.party.holds.stream()
                .filter(holding -> holding.isAt(instant) && holding.grant != except && holding.lock.equals(lock))
                .anyMatch(holding -> !holding.mode.isCompatibleWith(mode));
    }

    private static boolean isBehind(Waiting one, Waiting other) {
        return one != other
                && one.lock.equals(other.lock)
                && !one.mode.isCompatibleWith(other.mode)
                && (one.converted == null || one.from.isCompatibleWith(other.mode));
    }
}

package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.simulation.MajorityWorld.Member;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Schedules for situations that are too rare to be met by chance. The seed decides on the exact instants. Each
 * returns the violations.
 */
final class MajoritySchedules {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration AHEAD = Duration.ofSeconds(30);

    private MajoritySchedules() {}

    /** Three clusters, and processes with right clocks that see all of them. */
    private static MajorityWorld world(long seed, int processes, boolean strengthen, Duration latestReport) {
        MajorityWorld world = new MajorityWorld(seed, 3);
        for (int process = 0; process < processes; process++) {
            world.join(1, Duration.ZERO, strengthen, latestReport);
        }
        world.untilMature();
        return world;
    }

    private static Duration millis(MajorityWorld world, long from, long to) {
        return Duration.ofNanos(world.random().nextLong(from * 1_000_000, to * 1_000_000));
    }

    private static Optional<MajorityChecker.Holding> granted(MajorityWorld world, Member member, Attempt attempt) {
        return granted(world, member, attempt, SOON);
    }

    private static Optional<MajorityChecker.Holding> granted(
            MajorityWorld world, Member member, Attempt attempt, Duration limit) {
        CompletableFuture<Optional<Grant>> outcome = attempt.getOutcome().toCompletableFuture();
        world.time().runUntil(outcome::isDone, limit);
        return outcome.isDone() && !outcome.isCompletedExceptionally()
                ? outcome.join().map(member::granted)
                : Optional.empty();
    }

    private static Optional<MajorityChecker.Holding> locked(MajorityWorld world, Member member) {
        Optional<MajorityChecker.Holding> holding = granted(world, member, member.acquire());
        if (holding.isEmpty()) {
            world.checker().violation(Violation.NOT_SERVED, "a process was not served");
        }
        return holding;
    }

    private static void released(MajorityWorld world, MajorityChecker.Holding holding) {
        world.checker().claims(holding);
        world.checker().released(holding);
        holding.grant().release();
    }

    private static OptionalLong token(MajorityWorld world, MajorityChecker.Holding holding) {
        CompletableFuture<Long> token = holding.grant().reserveFencingToken().toCompletableFuture();
        world.time().runUntil(token::isDone, SOON);
        if (!token.isDone() || token.isCompletedExceptionally()) {
            return OptionalLong.empty();
        }
        world.checker().shown(holding, token.join());
        return OptionalLong.of(token.join());
    }

    /** A member takes the lock, asks for a token, and releases the lock; false if it was not served or got no token. */
    private static boolean askForToken(MajorityWorld world, Member member) {
        return locked(world, member)
                .map(holding -> {
                    boolean shown = token(world, holding).isPresent();
                    released(world, holding);
                    return shown;
                })
                .orElse(false);
    }

    private static void requireToken(MajorityWorld world, Member member) {
        if (!askForToken(world, member)) {
            world.checker().violation(Violation.NOT_SERVED, "no token was shown");
        }
    }

    /** The member does not reach the cluster any more, and knows it. */
    private static void cutOff(MajorityWorld world, Member member, int cluster) {
        member.link(cluster).cut(true);
        world.time().run(Duration.ofSeconds(3));
    }

    /** Another member asks for the lock, and claims it if it gets it; the holder claims it again and again. */
    private static void bothClaim(
            MajorityWorld world, MajorityChecker.Holding holding, Member other, int times, Duration interval) {
        other.acquire().getOutcome().thenAccept(grant -> {
            MajorityChecker.Holding second = other.granted(grant.orElseThrow());
            world.time().at(Duration.ofMillis(20), () -> world.checker().claims(second));
        });
        for (int time = 0; time < times; time++) {
            world.time().run(interval);
            world.checker().claims(holding);
        }
    }

    static List<String> cycle(long seed) {
        MajorityWorld world = world(seed, 2, true, Duration.ZERO);
        Member one = world.members().get(0);
        Member other = world.members().get(1);
        world.cluster(2).down(true);
        world.time().run(Duration.ofSeconds(3));
        Attempt first = one.acquire();
        world.time().at(millis(world, 0, 60), () -> {
            one.link(0).cut(true);
            world.time().at(millis(world, 4, 14), () -> one.link(0).cut(false));
        });
        world.time().run(millis(world, 50, 350));
        Attempt second = other.acquire();
        List<Member> served = new ArrayList<>();
        for (Attempt attempt : List.of(first, second)) {
            attempt.getOutcome().thenAccept(grant -> {
                Member member = attempt == first ? one : other;
                MajorityChecker.Holding holding = member.granted(grant.orElseThrow());
                served.add(member);
                world.time().at(Duration.ofMillis(5), () -> released(world, holding));
            });
        }
        world.time().runUntil(() -> served.size() == 2, Duration.ofMinutes(2));
        if (served.size() < 2) {
            world.checker().violation(Violation.NOT_SERVED, served.size() + " of two were served");
        }
        return world.violations();
    }

    /**
     * The holder looks, and asks the highest cluster for a part. Before its request is performed, its lease ends in
     * the lowest one, and another process takes the lock in both and releases it.
     */
    static List<String> revival(long seed) {
        MajorityWorld world = new MajorityWorld(seed, 3);
        List<Member> members = new ArrayList<>();
        for (int member = 0; member < 3; member++) {
            members.add(world.join(1, Duration.ZERO, true, Duration.ofMinutes(1), Duration.ofSeconds(2)));
        }
        Member holder = members.get(0);
        Member other = members.get(1);
        world.untilMature();
        members.get(2)
                .lock(2)
                .acquire(AcquireRequest.waits(MajorityWorld.LOCK, "blocker"))
                .getOutcome()
                .thenAccept(grant -> world.time().at(Duration.ofSeconds(9), grant.orElseThrow()::release));
        other.link(1).cut(true);
        holder.link(2).timeout(Duration.ofSeconds(3));
        world.time().run(Duration.ofSeconds(6));
        locked(world, holder).ifPresent(holding -> {
            holder.lock(0).loseRenewals();
            other.acquire().getOutcome().thenAccept(grant -> {
                MajorityChecker.Holding meanwhile = other.granted(grant.orElseThrow());
                world.time().at(Duration.ofMillis(1), () -> released(world, meanwhile));
            });
            world.time().run(millis(world, 2_000, 3_050));
            holder.link(2).holdBack();
            world.time().run(Duration.ofSeconds(1));
            world.time().run(millis(world, 0, 900));
            holder.link(2).holdBackNoMore();
            holder.link(2).letThrough();
            world.time().run(Duration.ofSeconds(3));
            released(world, holding);
        });
        return world.violations();
    }

    static List<String> guard(long seed) {
        MajorityWorld world = world(seed, 2, false, Duration.ZERO);
        Member holder = world.members().get(0);
        Member other = world.members().get(1);
        locked(world, other).ifPresent(holding -> released(world, holding));
        world.time().run(Duration.ofSeconds(1));
        other.link(1).cut(true);
        locked(world, holder).ifPresent(holding -> {
            world.time().run(Duration.ofSeconds(2));
            world.time().run(millis(world, 0, 400));
            world.cluster(0).empty();
            world.time().run(millis(world, 0, 100));
            bothClaim(world, holding, other, 100, Duration.ofMillis(20));
        });
        return world.violations();
    }

    static List<String> young(long seed) {
        return unseenLoss(seed, (world, holder) -> {
            holder.link(0).cut(true);
            world.cluster(0).empty();
        });
    }

    /** Only the slots are lost, so the session of the holder lives on, and its reads of the birth row are not answered. */
    static List<String> unread(long seed) {
        return unseenLoss(seed, (world, holder) -> {
            holder.lock(0).loseBirths(true);
            world.cluster(0).empty(Loss.SLOTS);
        });
    }

    /**
     * A holder in the clusters 0 and 1 does not see that the cluster 0 is emptied. The other process sees 0 and 2.
     *
     * @param loss empties the cluster, and hides that from the holder
     */
    private static List<String> unseenLoss(long seed, BiConsumer<MajorityWorld, Member> loss) {
        MajorityWorld world = world(seed, 2, false, Duration.ZERO);
        Member holder = world.members().get(0);
        Member other = world.members().get(1);
        other.link(1).cut(true);
        locked(world, holder).ifPresent(holding -> {
            world.time().run(millis(world, 0, 2_000));
            loss.accept(world, holder);
            bothClaim(world, holding, other, 200, Duration.ofMillis(50));
        });
        return world.violations();
    }

    static List<String> strengthened(long seed) {
        MajorityWorld world = world(seed, 1, true, Duration.ZERO);
        Member holder = world.members().get(0);
        locked(world, holder).ifPresent(holding -> {
            world.time().run(millis(world, 1_000, 4_000));
            world.cluster(world.random().nextInt(3)).down(true);
            world.time().run(Duration.ofSeconds(20));
            if (!world.checker().claims(holding)) {
                world.checker().violation(Violation.LOST_IN_VAIN, "a holder lost its lock with one of three clusters");
            }
            released(world, holding);
        });
        return world.violations();
    }

    /** The first token is in the clusters 0 and 1, the second holder sees 0 and 2. */
    static List<String> tokensForgotten(long seed) {
        MajorityWorld world = new MajorityWorld(seed, 3);
        Member ahead = world.join(1, AHEAD, false, Duration.ZERO);
        Member behind = world.join(1, AHEAD.negated(), false, Duration.ZERO);
        world.untilMature();
        cutOff(world, ahead, 2);
        requireToken(world, ahead);
        world.time().run(Duration.ofSeconds(1));
        world.cluster(0).empty();
        world.time().runUntil(() -> world.cluster(0).isMature(), Duration.ofMinutes(5));
        if (seed % 2 == 0) {
            world.time().runUntil(() -> world.cluster(0).isTokenMature(), Duration.ofMinutes(5));
        }
        cutOff(world, behind, 1);
        if (seed % 2 == 0) {
            requireToken(world, behind);
        } else {
            askForToken(world, behind);
        }
        return world.violations();
    }

    static List<String> tokensSeen(long seed) {
        MajorityWorld world = new MajorityWorld(seed, 3);
        Member first = world.join(1, AHEAD, false, Duration.ZERO);
        Member last = world.join(1, AHEAD.negated(), false, Duration.ZERO);
        world.untilMature();
        for (Member member : List.of(first, last)) {
            cutOff(world, member, world.random().nextInt(3));
            requireToken(world, member);
        }
        return world.violations();
    }

    /** A write of the token before the last one is late, and reaches the emptied cluster. */
    static List<String> tokensOfThePast(long seed) {
        MajorityWorld world = new MajorityWorld(seed, 3);
        Member first = world.join(1, AHEAD, false, Duration.ZERO);
        Member last = world.join(1, AHEAD.negated(), false, Duration.ZERO);
        world.untilMature();
        locked(world, first).ifPresent(holding -> {
            first.link(0).holdBack();
            token(world, holding);
            first.link(0).holdBackNoMore();
            released(world, holding);
        });
        world.time().run(Duration.ofSeconds(3));
        cutOff(world, first, 2);
        askForToken(world, first);
        world.time().run(Duration.ofSeconds(1));
        world.cluster(0).empty();
        world.time().run(Duration.ofSeconds(2));
        first.link(0).letThrough();
        world.time().runUntil(() -> world.cluster(0).isTokenMature(), Duration.ofMinutes(5));
        cutOff(world, last, 1);
        askForToken(world, last);
        return world.violations();
    }

    /** The process that pauses learns of the loss before it writes its token. */
    static List<String> tokensOvertaken(long seed) {
        MajorityWorld world = new MajorityWorld(seed, 3);
        Member slow = world.join(1, AHEAD.negated(), false, Duration.ZERO);
        Member other = world.join(1, AHEAD, false, Duration.ZERO);
        Member last = world.join(1, AHEAD.negated(), false, Duration.ZERO);
        world.untilMature();
        cutOff(world, other, 2);
        locked(world, slow).ifPresent(holding -> {
            holding.grant()
                    .reserveFencingToken()
                    .thenAccept(token -> world.checker().shown(holding, token));
            slow.process().pauseFor(Duration.ofSeconds(12));
            askForToken(world, other);
            world.cluster(0).empty();
            world.time().run(SOON);
        });
        world.time().runUntil(() -> world.cluster(0).isTokenMature(), Duration.ofMinutes(5));
        cutOff(world, last, 1);
        askForToken(world, last);
        return world.violations();
    }

    /** The first holder reads the registers, and its process pauses until another one has shown a token. */
    static List<String> tokensLate(long seed) {
        MajorityWorld world = world(seed, 2, false, Duration.ZERO);
        Member slow = world.members().get(0);
        Member other = world.members().get(1);
        locked(world, slow).ifPresent(holding -> {
            holding.grant()
                    .reserveFencingToken()
                    .thenAccept(token -> world.checker().shown(holding, token));
            world.time().run(millis(world, 1, 40));
            slow.process().pauseFor(Duration.ofSeconds(12));
            askForToken(world, other);
            world.time().run(SOON);
        });
        return world.violations();
    }

    /**
     * A process asks the lowest cluster and gives up. The cluster forgets the slots that it gave back, and then what it
     * asked for arrives. Its session is alive.
     */
    static List<String> lateAsking(long seed) {
        MajorityWorld world = MajorityWorld.ofTickets(seed);
        Member late = world.join(1, Duration.ZERO, false, Duration.ZERO);
        Member other = world.join(1, Duration.ZERO, false, Duration.ZERO);
        world.untilMature();
        locked(world, late).ifPresent(holding -> released(world, holding));
        world.time().run(Duration.ofSeconds(1));
        world.tickets(0).holdBack(late.process());
        Attempt attempt = late.acquire();
        world.time().run(millis(world, 0, 400));
        world.tickets(0).holdBack(null);
        attempt.giveUp();
        world.time().run(Duration.ofSeconds(2));
        world.empty(0, seed % 2 == 0 ? Loss.ALL : Loss.SLOTS);
        world.time().run(millis(world, 0, 1_000));
        world.tickets(0).letThrough();
        world.time().runUntil(() -> world.cluster(0).isMature(), Duration.ofMinutes(5));
        world.time().run(Duration.ofSeconds(1));
        locked(world, other).ifPresent(holding -> released(world, holding));
        return world.violations();
    }

    /** It starts before the loss, and knows the others, or at the instant of the loss. */
    static List<String> misconfigured(long seed) {
        MajorityWorld world = world(seed, 2, true, Duration.ZERO);
        List<Member> wellConfigured = List.copyOf(world.members());
        if (seed % 2 == 0) {
            world.joinMisconfigured();
            world.time().run(millis(world, 1_000, 2_000));
        }
        world.cluster(world.random().nextInt(3)).empty();
        if (seed % 2 != 0) {
            world.joinMisconfigured();
        }
        world.time().run(SOON);
        wellConfigured.forEach(member -> locked(world, member).ifPresent(holding -> released(world, holding)));
        return world.violations();
    }

    static List<String> tryAtOnce(long seed) {
        MajorityWorld world = world(seed, 2 + (int) (seed % 3), true, Duration.ZERO);
        if (seed % 2 == 0) {
            world.cluster(world.random().nextInt(3)).down(true);
            world.time().run(Duration.ofSeconds(3));
        }
        List<Attempt> attempts =
                world.members().stream().map(Member::tryAcquire).toList();
        world.time().run(Duration.ofSeconds(2));
        long open = attempts.stream()
                .filter(attempt -> !attempt.getOutcome().toCompletableFuture().isDone())
                .count();
        long got = attempts.stream()
                .map(attempt -> attempt.getOutcome().toCompletableFuture())
                .filter(outcome -> outcome.isDone()
                        && !outcome.isCompletedExceptionally()
                        && outcome.join().isPresent())
                .count();
        if (got != 1 || open > 0) {
            world.checker().violation(Violation.NOT_SERVED, got + " got the lock, " + open + " still try");
        }
        return world.violations();
    }
}

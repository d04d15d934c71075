package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.ticket.GrantedSlots;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A thread that takes the lock, works under it and releases it, a given number of times. The seed decides the mode and the minimum
 * time of each request, how long it waits and works, and what it does meanwhile.
 */
public final class TicketCaller {

    private final TicketWorld world;
    private final TicketMember member;
    private final SplittableRandom random;
    private final SafetyChecker checker;
    private final FaultModel.Workload workload;
    private int remaining;
    private long until = Long.MIN_VALUE;

    TicketCaller(TicketWorld world, TicketMember member, int rounds) {
        this.world = world;
        this.member = member;
        this.random = world.random();
        this.checker = world.checker();
        this.workload = world.faultModel().workload();
        this.remaining = rounds;
    }

    boolean isDone() {
        return remaining == 0 || member.process().isDead();
    }

    /** Asks again and again until then, although it was done. */
    void goOnUntil(long instant) {
        until = instant;
        if (remaining == 0 && !member.process().isDead()) {
            remaining = 1;
            start();
        }
    }

    void start() {
        boolean soft = random.nextDouble() < workload.soft();
        LockRequest request = request();
        SafetyChecker.Arrival arrival = checker.arrived(member, request.getMode(), request.getPermits());
        try {
            if (soft) {
                follow(arrival, request, member.locker().tryGetLockAsync(request), Function.identity());
            } else {
                follow(arrival, request, member.locker().getLockAsync(request), Optional::of);
            }
        } catch (IllegalStateException closed) {
            checker.endedWithoutLock(arrival);
            remaining = 0;
        }
    }

    /** In worlds with minimum times, every second request has one. */
    private LockRequest request() {
        CallerHabits habits = world.habits();
        LockRequest request = LockRequest.of(TicketWorld.LOCK)
                .mode(habits.hasOneMode() ? habits.modes().get(0) : world.any(habits.modes()));
        if (habits.hasPermits() && request.getMode() == LockMode.EXCLUSIVE) {
            int permits = world.any(habits.permits());
            request = request.permits(world.slots().isShownWithoutPermits(member.process()) ? 1 : permits);
        }
        Duration longest = habits.longestMinimum();
        return longest.isZero() || random.nextBoolean()
                ? request
                : request.holdAtLeast(Duration.ofNanos(random.nextLong(longest.toNanos())));
    }

    private <T> void follow(
            SafetyChecker.Arrival arrival,
            LockRequest request,
            CompletableFuture<T> call,
            Function<T, Optional<RemoteLock>> lock) {
        if (random.nextDouble() < workload.impatient()) {
            Duration patience =
                    Duration.ofNanos(random.nextLong(workload.patience().toNanos()));
            world.time().at(patience, () -> member.process().run(() -> call.cancel(true)));
        }
        call.whenComplete((answer, failure) -> {
            Optional<RemoteLock> granted = failure == null ? lock.apply(answer) : Optional.empty();
            if (granted.isPresent()) {
                granted(arrival, request, granted.get());
            } else {
                checker.endedWithoutLock(arrival);
                checker.requestEnded(failure);
                endRound(Duration.ofMillis(random.nextLong(1, 300)));
            }
        });
    }

    private void granted(SafetyChecker.Arrival arrival, LockRequest request, RemoteLock lock) {
        SafetyChecker.Holding holding =
                checker.granted(arrival, lock, member.locker().grantOf(lock), request.getHoldAtLeast());
        holding.grant().getLoss().thenRun(() -> checker.lost(holding));
        lock.onLost(reason -> checker.told(holding));
        Duration work = Duration.ofNanos(random.nextLong(workload.longestWork().toNanos() + 1));
        if (random.nextDouble() < workload.tokens() && lock.getPermits() == 1) {
            atBeginOrHalf(work).thenRun(() -> requestToken(holding));
        }
        if (usesValue() && lock.getPermits() == 1) {
            atBeginOrHalf(work).thenRun(() -> useValue(holding, lock));
        }
        work(holding, lock, work, world.habits().converting() && lock.getPermits() == 1 ? random.nextInt(4) : 0);
    }

    private CompletableFuture<Void> atBeginOrHalf(Duration work) {
        return member.process().after(random.nextBoolean() ? Duration.ZERO : work.dividedBy(2));
    }

    private boolean usesValue() {
        double share = world.habits().valuing();
        return share > 0 && random.nextDouble() < share;
    }

    private void work(SafetyChecker.Holding holding, RemoteLock lock, Duration work, int conversions) {
        member.process().after(work).thenRun(() -> {
            if (conversions > 0 && lock.isHeld()) {
                convert(holding, lock, work, conversions - 1);
            } else if (world.habits().periods() && lock.isHeld()) {
                completePeriod(holding, lock).whenComplete((done, failure) -> release(holding, lock));
            } else {
                release(holding, lock);
            }
        });
    }

    private void release(SafetyChecker.Holding holding, RemoteLock lock) {
        checker.releasing(holding);
        if (!isForgotten(lock)) {
            if (lock.isHeld()) {
                checker.values().ended(holding);
            }
            lock.closeAsync();
        }
        endRound(Duration.ofMillis(random.nextDouble() < workload.idle() ? random.nextLong(1, 300) : 0));
    }

    /** A holder whose lock was broken may be one that never comes back. */
    private boolean isForgotten(RemoteLock lock) {
        return world.faults().isForceReleasing() && !lock.isHeld() && random.nextBoolean();
    }

    private void endRound(Duration pause) {
        if (remaining > 1 || world.time().now() >= until) {
            remaining--;
        }
        if (remaining > 0) {
            member.process().after(askingOn(pause)).thenRun(this::start);
        }
    }

    /** A thread that asks on for long does not do so without a pause, which would make millions of requests. */
    private Duration askingOn(Duration pause) {
        return until == Long.MIN_VALUE ? pause : pause.plusMillis(100);
    }

    /** Now and then the lock is released while it is converted, or the caller of the conversion gives up. */
    private void convert(SafetyChecker.Holding holding, RemoteLock lock, Duration work, int conversions) {
        LockMode mode = world.any(
                world.habits().hasOneMode()
                        ? List.of(LockMode.values())
                        : world.habits().modes());
        Duration patience = Duration.ofMillis(random.nextLong(1, random.nextInt(4) == 0 ? 3_000 : 100));
        boolean down = lock.getMode().covers(mode);
        CompletableFuture<?> conversion;
        if (down && !mode.covers(LockMode.PROTECTED_WRITE) && lock.isHeld()) {
            checker.values().ended(holding);
        }
        try {
            conversion = random.nextInt(4) == 0 ? lock.tryConvertAsync(mode) : lock.convertAsync(mode, patience);
        } catch (RuntimeException closed) {
            release(holding, lock);
            return;
        }
        if (down) {
            checker.converted(holding);
        }
        boolean released = random.nextInt(10) == 0;
        if (released) {
            member.process().after(Duration.ofMillis(random.nextLong(50))).thenRun(() -> release(holding, lock));
        } else if (random.nextInt(8) == 0) {
            member.process().after(Duration.ofMillis(random.nextLong(50))).thenRun(() -> conversion.cancel(false));
        }
        conversion.whenComplete((done, failure) -> {
            checker.conversionEnded(failure);
            if (!released) {
                checker.converted(holding);
                if (random.nextDouble() < workload.tokens()) {
                    requestToken(holding);
                }
                if (usesValue()) {
                    useValue(holding, lock);
                }
                work(holding, lock, work, conversions);
            }
        });
    }

    private void requestToken(SafetyChecker.Holding holding) {
        holding.grant().reserveFencingToken().whenComplete((token, failure) -> {
            if (failure == null) {
                checker.shown(holding, token);
                if (random.nextDouble() < workload.faints()
                        && world.time().now() < world.faultModel().faultPeriod().toNanos()) {
                    member.process().pauseFor(world.faultModel().longestPause());
                }
            }
        });
    }

    /** Reads the value, and then sets another one if the mode allows that, or leaves it as it is. */
    private void useValue(SafetyChecker.Holding holding, RemoteLock lock) {
        Grant grant = holding.grant();
        LockMode mode = GrantedSlots.mode(grant);
        if (mode == LockMode.NULL || !lock.isHeld()) {
            return;
        }
        ValueChecker.Question question = checker.values().asks(holding);
        grant.readValue().whenComplete((value, failure) -> {
            if (failure == null && lock.isHeld() && mode == GrantedSlots.mode(grant)) {
                checker.values().seen(question, holding.process(), mode, value);
                if (mode.covers(LockMode.PROTECTED_WRITE) && random.nextInt(4) != 0) {
                    setValue(holding);
                }
            }
        });
    }

    /** The next period, as this process takes it: clocks differ. Now and then, a nested call completes another one meanwhile. */
    private CompletionStage<Void> completePeriod(SafetyChecker.Holding holding, RemoteLock lock) {
        long ahead = random.nextLong(1, 4);
        long nested = random.nextInt(4) == 0 ? random.nextLong(1, 4) : ahead;
        return holding.grant().readStoredValue().thenCompose(value -> {
            long last = -SimulatedValue.number(value.getBytes());
            if (!lock.isHeld()) {
                return CompletableFuture.completedFuture(null);
            }
            checker.periods().seen(holding.process(), last);
            return CompletableFuture.allOf(Stream.of(last + nested, last + ahead)
                    .distinct()
                    .map(period -> complete(holding, lock, period).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new));
        });
    }

    /** A record of unknown outcome is tried again once. */
    private CompletionStage<Void> complete(SafetyChecker.Holding holding, RemoteLock lock, long period) {
        return record(holding, lock, period)
                .exceptionallyCompose(failure ->
                        lock.isHeld() ? record(holding, lock, period) : CompletableFuture.failedFuture(failure));
    }

    private CompletionStage<Void> record(SafetyChecker.Holding holding, RemoteLock lock, long period) {
        return holding.grant().storeValue(SimulatedValue.bytes(-period)).thenRun(() -> {
            if (lock.isHeld()) {
                checker.periods().completed(holding.process(), period);
            }
        });
    }

    private void setValue(SafetyChecker.Holding holding) {
        long number = checker.values().nextNumber();
        holding.grant().writeValue(SimulatedValue.bytes(number)).whenComplete((set, failure) -> {
            if (failure == null) {
                checker.values().set(holding, number);
            }
        });
    }
}

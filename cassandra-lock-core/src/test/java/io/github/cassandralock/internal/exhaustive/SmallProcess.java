package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The machine of a process. What the process has seen, and when, decides its state. Looks of the search at its locks change
 * nothing that it could see.
 */
final class SmallProcess implements Ticker, Timers, WallClock {

    /** @param instant at which it ends, of the world's time */
    private record Timer(long instant, int number, CompletableFuture<Void> future) {}

    private final int number;
    private final SmallTime time;
    private final double clockRate;
    private final List<Timer> timers = new ArrayList<>();
    private StateKey seen = StateKey.EMPTY;
    private int timersBegun;
    private int requests;
    private long ids;
    private boolean dead;

    SmallProcess(int number, SmallTime time, double clockRate) {
        this.number = number;
        this.time = time;
        this.clockRate = clockRate;
    }

    int number() {
        return number;
    }

    String name() {
        return String.valueOf((char) ('A' + number));
    }

    /** The name of the process whose session this is. */
    static String nameOf(UUID session) {
        return String.valueOf((char) ('A' + numberOf(session)));
    }

    /** The number of the process whose session this is. */
    static int numberOf(UUID session) {
        return (int) session.getMostSignificantBits();
    }

    boolean owns(UUID session) {
        return numberOf(session) == number;
    }

    UUID nextId() {
        return new UUID(number, ids++);
    }

    int nextRequest() {
        return ++requests;
    }

    boolean isDead() {
        return dead;
    }

    void die() {
        dead = true;
        see(-1, StateKey.EMPTY);
    }

    /** The process sees something, at this instant. */
    void see(long what, StateKey detail) {
        seen = seen.with(what).with(time.now()).with(detail);
    }

    StateKey seen() {
        return seen;
    }

    @Override
    public long nanos() {
        return (long) (time.now() * clockRate);
    }

    @Override
    public long readMicros() {
        return 1_700_000_000_000_000L;
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        long instant = time.now() + (long) Math.ceil(delay.toNanos() / clockRate) + 1;
        timers.add(new Timer(instant, ++timersBegun, future));
        return future;
    }

    /** When its next timer ends; empty if it has none. */
    Optional<Long> nextTimer() {
        return dead ? Optional.empty() : next().map(Timer::instant);
    }

    private Optional<Timer> next() {
        timers.removeIf(timer -> timer.future().isDone());
        return timers.stream().min(Comparator.comparingLong(Timer::instant).thenComparing(Timer::number));
    }

    void endTimer() {
        Timer timer = next().orElseThrow();
        timers.remove(timer);
        time.advanceTo(timer.instant());
        see(-2, StateKey.EMPTY.with(timer.number()));
        timer.future().complete(null);
    }
}

package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/** Events in order of simulated time; those of one instant in the order in which they were planned. */
public final class SimulatedTime {

    private static final int FEW = 256;

    private record Event(long instant, long number, Runnable action) {}

    /** Events that were planned in the order of their instants: timeouts, most of what is planned at any time. */
    private final Deque<Event> timeouts = new ArrayDeque<>();

    // A binary heap in arrays: a schedule has up to 100,000 events, and a queue of objects takes a fifth of its time.
    private long[] instants = new long[FEW];
    private long[] numbers = new long[FEW];
    private Runnable[] actions = new Runnable[FEW];
    private int size;
    private long now;
    private long planned;
    private Runnable afterEach = () -> {};

    /** Nanoseconds since the simulation began. */
    public long now() {
        return now;
    }

    /** From now on this is done after every event. */
    void afterEachEvent(Runnable action) {
        afterEach = action;
    }

    public void at(Duration delay, Runnable action) {
        at(delay.toNanos(), action);
    }

    /** @param delay in nanoseconds */
    void at(long delay, Runnable action) {
        if (size == actions.length) {
            grow();
        }
        long instant = now + delay;
        int place = size++;
        while (place > 0 && instant < instants[(place - 1) / 2]) {
            move((place - 1) / 2, place);
            place = (place - 1) / 2;
        }
        put(place, instant, planned++, action);
    }

    /**
     * Like {@link #at}, for many events with the same delay: the heap stays small without them.
     *
     * @throws IllegalArgumentException if an event that this method planned before comes later than this one
     */
    void atTimeout(Duration delay, Runnable action) {
        long instant = now + delay.toNanos();
        Event last = timeouts.peekLast();
        if (last != null && last.instant() > instant) {
            throw new IllegalArgumentException("a timeout ends before one that began earlier");
        }
        timeouts.addLast(new Event(instant, planned++, action));
    }

    /** Runs events until the condition holds, nothing is planned any more, or the time is up. */
    public void runUntil(BooleanSupplier condition, Duration limit) {
        long end = now + limit.toNanos();
        while (!condition.getAsBoolean() && runNext(end)) {
            afterEach.run();
        }
    }

    /** Returns false if nothing is planned until then. */
    private boolean runNext(long end) {
        Event timeout = timeouts.peekFirst();
        if (timeout != null && isFirst(timeout)) {
            return timeout.instant() <= end
                    && run(timeout.instant(), timeouts.removeFirst().action());
        }
        return size > 0 && instants[0] <= end && run(instants[0], removeFirst());
    }

    private boolean run(long instant, Runnable action) {
        now = instant;
        action.run();
        return true;
    }

    private boolean isFirst(Event timeout) {
        return size == 0
                || timeout.instant() < instants[0]
                || (timeout.instant() == instants[0] && timeout.number() < numbers[0]);
    }

    /** Runs everything that is planned within this time. */
    public void run(Duration duration) {
        long end = now + duration.toNanos();
        runUntil(() -> false, duration);
        now = end;
    }

    private Runnable removeFirst() {
        Runnable first = actions[0];
        int last = --size;
        int place = 0;
        for (int child = firstChild(place); child < last && isBefore(child, last); child = firstChild(place)) {
            move(child, place);
            place = child;
        }
        move(last, place);
        return first;
    }

    /** The child that comes first; a place at the end or behind it if there is none. */
    private int firstChild(int parent) {
        int left = 2 * parent + 1;
        return left + 1 < size && isBefore(left + 1, left) ? left + 1 : left;
    }

    private boolean isBefore(int one, int other) {
        return instants[one] != instants[other] ? instants[one] < instants[other] : numbers[one] < numbers[other];
    }

    private void move(int from, int to) {
        put(to, instants[from], numbers[from], actions[from]);
    }

    private void put(int place, long instant, long number, Runnable action) {
        instants[place] = instant;
        numbers[place] = number;
        actions[place] = action;
    }

    private void grow() {
        instants = Arrays.copyOf(instants, 2 * size);
        numbers = Arrays.copyOf(numbers, 2 * size);
        actions = Arrays.copyOf(actions, 2 * size);
    }
}

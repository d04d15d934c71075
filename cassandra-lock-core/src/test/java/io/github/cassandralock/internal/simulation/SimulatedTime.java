package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** Events in order of simulated time; those of one instant in the order in which they were planned. */
public final class SimulatedTime {

    private record Event(long at, long number, Runnable action) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
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
        events.add(new Event(now + delay.toNanos(), planned++, action));
    }

    /** Runs events until the condition holds, nothing is planned any more, or the time is up. */
    public void runUntil(BooleanSupplier condition, Duration limit) {
        long end = now + limit.toNanos();
        while (!condition.getAsBoolean() && !events.isEmpty() && events.peek().at() <= end) {
            Event event = events.remove();
            now = event.at();
            event.action().run();
            afterEach.run();
        }
    }

    /** Runs everything that is planned within this time. */
    public void run(Duration duration) {
        long end = now + duration.toNanos();
        runUntil(() -> false, duration);
        now = end;
    }
}

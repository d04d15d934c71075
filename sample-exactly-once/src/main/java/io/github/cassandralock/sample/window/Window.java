package io.github.cassandralock.sample.window;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The state of the handler: what its copies share.
 *
 * @param step how many steps there were
 * @param increments how often the counter was to be raised
 * @param entries the numbers of the last seconds
 */
record Window(long step, long increments, List<Entry> entries) {

    /**
     * A number in the window.
     *
     * @param at when it was taken, in milliseconds since 1970
     */
    record Entry(long at, double number) {}

    Window {
        entries = List.copyOf(entries);
    }

    static Window empty() {
        return new Window(0, 0, List.of());
    }

    /** The next window: with these numbers, and without those that were taken longer ago than this. */
    Window slide(List<Double> numbers, Instant time, Duration duration) {
        long now = time.toEpochMilli();
        long oldest = now - duration.toMillis();
        Stream<Entry> kept = entries.stream().filter(entry -> entry.at() > oldest);
        Stream<Entry> added = numbers.stream().map(number -> new Entry(now, number));
        return new Window(step + 1, increments, Stream.concat(kept, added).toList());
    }

    Window incremented() {
        return new Window(step, increments + 1, entries);
    }

    int size() {
        return entries.size();
    }

    double average() {
        return entries.stream().mapToDouble(Entry::number).average().orElse(0);
    }
}

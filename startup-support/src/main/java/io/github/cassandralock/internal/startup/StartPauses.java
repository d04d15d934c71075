package io.github.cassandralock.internal.startup;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between tries. The bound of a pause doubles up to the longest one. A pause is random, from half of its bound up to the
 * bound, so that processes do not retry together. For one thread.
 */
final class StartPauses {

    private static final Duration FIRST = Duration.ofSeconds(1);

    private final Duration longest;
    private final RandomGenerator random;
    private Duration bound;

    /** @param longest bounds even the first pause, if shorter than a second */
    StartPauses(Duration longest, RandomGenerator random) {
        this.longest = longest;
        this.random = random;
        this.bound = shorter(FIRST, longest);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    Duration next() {
        long nanos = bound.toNanos();
        bound = shorter(bound.multipliedBy(2), longest);
        return Duration.ofNanos(nanos - random.nextLong(nanos / 2 + 1));
    }
}

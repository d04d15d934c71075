package io.github.cassandralock.internal.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants, as the endpoint answers: ISO 8601, to the millisecond, by this machine's clock. For people, never for decisions. */
final class Times {

    private Times() {}

    static String of(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static String before(Instant now, Duration age) {
        return of(now.minus(age));
    }
}

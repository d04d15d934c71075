package io.github.cassandralock.internal.startup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The nodes through which a session finds the others.
 *
 * @param points at least one
 * @param encrypted whether connections are encrypted
 * @param patience how long a connection, and its answer, may take
 */
public record ContactPoints(List<ContactPoint> points, boolean encrypted, Duration patience) {

    public ContactPoints {
        points = List.copyOf(points);
    }

    /**
     * Tries one contact point after another until a node answers. Blocks. A session would cost more: threads, connections, and
     * warnings of the driver.
     *
     * @throws UnreachableCassandraException if none answers
     */
    void requireAnswer() throws InterruptedException {
        List<String> problems = new ArrayList<>();
        for (ContactPoint point : points) {
            Optional<String> problem = point.problem(!encrypted, patience);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (problem.isEmpty()) {
                return;
            }
            problems.add(point.text() + " (" + problem.get() + ")");
        }
        throw new UnreachableCassandraException("Cassandra cannot be reached: " + String.join("; ", problems));
    }
}

package io.github.cassandralock.testing.statistics;

import io.github.cassandralock.testing.checkers.Overlaps;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * What the contenders of one algorithm did in one turn, before those of the next algorithm had theirs.
 *
 * @param startedAt when all were to begin, as in {@link Grant}
 * @param grants in the order in which the locks were entered
 * @param requests what all of them sent in that time
 * @param permits how many may hold a lock at the same time, besides those that share it
 */
public record Turn(long startedAt, List<Grant> grants, long requests, int permits) {

    public Turn {
        grants = grants.stream()
                .sorted(Comparator.comparingLong(Grant::enteredAt))
                .toList();
    }

    /** One may hold a lock at a time, besides those that share it. */
    public Turn(long startedAt, List<Grant> grants, long requests) {
        this(startedAt, grants, requests, 1);
    }

    /** From the start to the end of the last hold. */
    public long nanos() {
        return grants.stream().mapToLong(Grant::leftAt).max().orElse(startedAt) - startedAt;
    }

    /** How many grants began while the lock was held by all that may hold it. */
    long violations() {
        return byLock().stream()
                .mapToLong(all -> permits == 1 ? overlaps(all) : moreThanPermits(all))
                .sum();
    }

    private static long overlaps(List<Grant> all) {
        return Overlaps.among(all, Grant::enteredAt, Grant::leftAt, Grant::excludes)
                .size();
    }

    private long moreThanPermits(List<Grant> all) {
        PriorityQueue<Long> ends = new PriorityQueue<>();
        long count = 0;
        for (Grant grant : all) {
            while (!ends.isEmpty() && ends.peek() <= grant.enteredAt()) {
                ends.remove();
            }
            if (ends.size() >= permits) {
                count++;
            }
            ends.add(grant.leftAt());
        }
        return count;
    }

    /** The grants of each lock, in their order. */
    Collection<List<Grant>> byLock() {
        return grants.stream().collect(Collectors.groupingBy(Grant::lock)).values();
    }
}

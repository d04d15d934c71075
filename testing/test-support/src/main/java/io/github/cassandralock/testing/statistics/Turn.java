package io.github.cassandralock.testing.statistics;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the contenders of one algorithm did in one turn, before those of the next algorithm had theirs.
 *
 * @param startedAt when all were to begin, as in {@link Grant}
 * @param grants in the order in which the locks were entered
 * @param requests what all of them sent in that time
 */
public record Turn(long startedAt, List<Grant> grants, long requests) {

    public Turn {
        grants = grants.stream()
                .sorted(Comparator.comparingLong(Grant::enteredAt))
                .toList();
    }

    /** From the start to the end of the last hold. */
    public long nanos() {
        return grants.stream().mapToLong(Grant::leftAt).max().orElse(startedAt) - startedAt;
    }

    /** The grants of each lock, in their order. */
    Collection<List<Grant>> byLock() {
        return grants.stream().collect(Collectors.groupingBy(Grant::lock)).values();
    }
}

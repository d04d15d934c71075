package io.github.cassandralock.benchmarks.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.cassandralock.testing.statistics.Figures;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.List;

/**
 * A row of {@code readers.json}.
 *
 * @param contenders threads, in so many processes or in five
 * @param readers how many of a hundred acquisitions were those of readers
 * @param algorithm who gave the locks
 * @param figures what a grant cost then
 */
public record ReadersResult(
        int contenders,
        int readers,
        String algorithm,
        @JsonUnwrapped Figures figures) {

    /** The medians of all runs. */
    public static ReadersResult ofRuns(int contenders, int readers, String algorithm, List<List<Turn>> runs) {
        return new ReadersResult(
                contenders,
                readers,
                algorithm,
                Figures.medians(runs.stream().map(Figures::of).toList()));
    }
}

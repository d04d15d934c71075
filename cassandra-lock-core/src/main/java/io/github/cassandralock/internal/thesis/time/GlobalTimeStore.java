package io.github.cassandralock.internal.thesis.time;

import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * The only cell of the thesis's time service, read and written at quorum. The timestamp of a write is its value. Therefore the
 * value never decreases, in whatever order writes arrive (thesis, theorem 5). Thread-safe; no method blocks.
 */
public interface GlobalTimeStore {

    /** The cell's value in microseconds, or empty before the first write. Completes exceptionally if it could not be read. */
    CompletionStage<OptionalLong> read();

    /** Writes the value with the value as its timestamp. */
    CompletionStage<WriteOutcome> write(long micros);
}

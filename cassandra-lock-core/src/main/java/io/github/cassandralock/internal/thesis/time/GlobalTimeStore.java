package io.github.cassandralock.internal.thesis.time;

import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * The one cell of the thesis's time service, at quorum. A write carries its value as its timestamp, so the cell never
 * goes back, in whatever order writes arrive (thesis, theorem 5). Thread-safe; nothing here blocks.
 */
public interface GlobalTimeStore {

    /** The cell's value in microseconds, or empty before the first write. Completes exceptionally if unreadable. */
    CompletionStage<OptionalLong> read();

    /** Writes the value with the value as its timestamp. */
    CompletionStage<WriteOutcome> write(long micros);
}

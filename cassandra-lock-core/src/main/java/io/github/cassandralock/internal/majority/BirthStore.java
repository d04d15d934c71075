package io.github.cassandralock.internal.majority;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The birth row of one cluster (docs/majority.md, section 4). It is lost with any of the tables of parts and sessions. No method
 * blocks. Thread-safe. Stages complete exceptionally if the store fails.
 */
public interface BirthStore {

    /** Reads the birth row at quorum. Empty if there is none, or one of the tables has lost its mark of it. */
    CompletionStage<Optional<Birth>> read();

    /**
     * Writes the birth row, unless there is one by then. Another process may write one at that time: {@link #read} shows which was
     * written.
     *
     * @param fresh of an incarnation that was never used before
     * @return fails with a {@link io.github.cassandralock.internal.store.RefusedRequestException} only if the row was certainly not
     *     written: its incarnation is not used then
     */
    CompletionStage<Void> write(Birth fresh);

    /** Raises the maturity, if the row still has this incarnation and is less mature. */
    CompletionStage<Void> ripen(UUID incarnation, Maturity maturity);
}

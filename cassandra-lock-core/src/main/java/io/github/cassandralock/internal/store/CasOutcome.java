package io.github.cassandralock.internal.store;

import java.util.Optional;

/** The outcome of a compare-and-set once its request has ended. */
public sealed interface CasOutcome {

    /** The condition held and the change was made. */
    record Applied() implements CasOutcome {}

    /**
     * The condition did not hold.
     *
     * @param seen the present state; empty if the store has no row
     */
    record Refused(Optional<SessionState> seen) implements CasOutcome {}

    /**
     * The change may have been made, may be made later, or never. A later {@link SessionStore#read} shows whether it was made
     * before that read.
     */
    record Unknown(Throwable cause) implements CasOutcome {}

    CasOutcome APPLIED = new Applied();
}

package io.github.cassandralock.internal.store;

import java.util.Optional;

/** What is known about a compare-and-set once its request has ended. */
public sealed interface CasOutcome {

    /** The condition held and the change was made. */
    record Applied() implements CasOutcome {}

    /**
     * The condition did not hold.
     *
     * @param seen the state that the store has instead; empty if it has no row
     */
    record Refused(Optional<SessionState> seen) implements CasOutcome {}

    /**
     * The change may have been made, may be made later, or never. {@link SessionStore#read} shows whether it has been made by
     * then.
     */
    record Unknown(Throwable cause) implements CasOutcome {}

    CasOutcome APPLIED = new Applied();
}

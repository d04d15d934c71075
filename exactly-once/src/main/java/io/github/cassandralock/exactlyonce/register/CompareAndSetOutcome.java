package io.github.cassandralock.exactlyonce.register;

/** The final outcome of a compare-and-set, however often it was sent. Nothing that was sent can be applied later. */
public sealed interface CompareAndSetOutcome {

    /** The version that the write made, or the version that the register held when the store refused the request. */
    StoredValue present();

    /**
     * The write was applied, once.
     *
     * @param present the version that it made
     */
    record Applied(StoredValue present) implements CompareAndSetOutcome {}

    /**
     * The write was not applied and never will be.
     *
     * @param present what the register held when the store refused the request; from that answer, not from a later read
     */
    record Refused(StoredValue present) implements CompareAndSetOutcome {}

    /**
     * It can no longer be determined whether the write was applied. An earlier sending had an unknown outcome, and other writes
     * have followed: the version is at least {@code expected + 2}. A caller must not treat this outcome as {@link Applied}.
     *
     * @param present what the register held when the store refused the request
     */
    record Overtaken(StoredValue present) implements CompareAndSetOutcome {}
}

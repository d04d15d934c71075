package io.github.cassandralock.exactlyonce.register;

/** How a compare-and-set ended, however often it was sent. Final: nothing that was sent can land later. */
public sealed interface CompareAndSetOutcome {

    /** The version that the write made, or that the register held when the store refused the request. */
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
     * @param present what the register held when the store refused the request; shown by that answer, not by a later read
     */
    record Refused(StoredValue present) implements CompareAndSetOutcome {}

    /**
     * Other writes have followed, and nobody can say any more whether this one was applied: an earlier sending had an unknown
     * outcome, and the version is at least {@code expected + 2}. Whoever takes this for {@link Applied} is wrong.
     *
     * @param present what the register held when the store refused the request
     */
    record Overtaken(StoredValue present) implements CompareAndSetOutcome {}
}

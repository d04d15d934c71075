package io.github.cassandralock.exactlyonce.register;

/** The answer of a store to one compare-and-set request. */
public sealed interface CompareAndSetAnswer {

    /** The request was applied. */
    record Applied() implements CompareAndSetAnswer {}

    /**
     * This request was not applied.
     *
     * @param present what the register held when the request was refused; not older than the refusal
     */
    record Refused(StoredValue present) implements CompareAndSetAnswer {}
}

package io.github.cassandralock.exactlyonce.register;

/** What a store answers to one compare-and-set. */
public sealed interface CompareAndSetAnswer {

    /** The request was applied. */
    record Applied() implements CompareAndSetAnswer {}

    /**
     * The request was not applied, by this answer.
     *
     * @param present what the register held when the request was refused; not older than the refusal
     */
    record Refused(StoredValue present) implements CompareAndSetAnswer {}
}

package io.github.cassandralock.internal.store;

/** What is known about a write once its request has ended. */
public sealed interface WriteOutcome {

    /** A quorum acknowledged it: every later quorum read sees it. */
    record Applied() implements WriteOutcome {}

    /** It was refused before anything was written, and will never be. */
    record NotApplied(Throwable cause) implements WriteOutcome {}

    /** It may have been written, may be written later, or never. */
    record Unknown(Throwable cause) implements WriteOutcome {}

    WriteOutcome APPLIED = new Applied();

    /** @throws UnacknowledgedWriteException unless a quorum acknowledged it */
    static void requireApplied(WriteOutcome outcome) {
        if (outcome instanceof NotApplied refused) {
            throw new UnacknowledgedWriteException("the write was refused", refused.cause());
        }
        if (outcome instanceof Unknown unknown) {
            throw new UnacknowledgedWriteException("no quorum acknowledged the write", unknown.cause());
        }
    }
}

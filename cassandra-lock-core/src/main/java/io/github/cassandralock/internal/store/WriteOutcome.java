package io.github.cassandralock.internal.store;

/** The outcome of a write once its request has ended. */
public sealed interface WriteOutcome {

    /** A quorum acknowledged the write: every later quorum read sees it. */
    record Applied() implements WriteOutcome {}

    /** The write was refused before anything was written, and will never be applied. */
    record NotApplied(Throwable cause) implements WriteOutcome {}

    /** The write may have been applied, may be applied later, or never. */
    record Unknown(Throwable cause) implements WriteOutcome {}

    WriteOutcome APPLIED = new Applied();

    /** @throws UnacknowledgedWriteException unless a quorum acknowledged the write */
    static void requireApplied(WriteOutcome outcome) {
        if (outcome instanceof NotApplied refused) {
            throw new UnacknowledgedWriteException("the write was refused", refused.cause());
        }
        if (outcome instanceof Unknown unknown) {
            throw new UnacknowledgedWriteException("no quorum acknowledged the write", unknown.cause());
        }
    }
}

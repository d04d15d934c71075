package io.github.cassandralock.internal.exhaustive;

/** An operation of a process that has been sent and has no answer yet. */
abstract class Request {

    private final SmallProcess process;
    private final int number;

    Request(SmallProcess process) {
        this.process = process;
        this.number = process.nextRequest();
    }

    SmallProcess process() {
        return process;
    }

    /** Counts the requests of the process. */
    int number() {
        return number;
    }

    /** Whether it is a transaction that is yet to be decided. It may be decided when nobody waits for it any more. */
    boolean isUndecided() {
        return false;
    }

    /** Decides the transaction. */
    void decide() {
        throw new IllegalStateException(this + " is no transaction");
    }

    /** How many different answers it may have now. */
    abstract int answers();

    /** Gives one of its answers to the process. Returns what the process sees. */
    abstract StateKey answer(int choice);

    /** Tells the process that there is no answer. */
    abstract void timeOut();

    /** What it has met so far. */
    abstract StateKey key();

    /** An answer, for people. */
    abstract String answerText(int choice);

    /** The operation, for people. */
    @Override
    public abstract String toString();
}

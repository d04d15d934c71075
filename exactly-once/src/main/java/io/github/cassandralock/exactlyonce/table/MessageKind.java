package io.github.cassandralock.exactlyonce.table;

/** Messages that copies take by turns. */
public enum MessageKind {
    /** Messages without a lane that have never failed, in the order of their ids. */
    NEW,

    /** The first messages of one lane, in the order of their ids. Its first message has never failed. */
    ORDERED,

    /**
     * Messages that have failed and whose pause is over, in the order of its end. Each has no lane, or is the first of its lane.
     */
    FAILED;

    MessageKind next() {
        return switch (this) {
            case NEW -> ORDERED;
            case ORDERED -> FAILED;
            case FAILED -> NEW;
        };
    }
}

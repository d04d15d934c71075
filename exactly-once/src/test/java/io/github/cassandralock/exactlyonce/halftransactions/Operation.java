package io.github.cassandralock.exactlyonce.halftransactions;

import java.util.Locale;

/**
 * Something that a process asks a store to change.
 *
 * @param kind what it is
 * @param subject the register or the table, without a cell's number
 * @param phase of a handler's state: the one that it is to have; else empty
 */
record Operation(Kind kind, String subject, String phase) {

    enum Kind {
        /** A handler's state. */
        STATE,
        /** A register of a register sink. */
        EFFECT,
        /** A cell of a queue. */
        CELL,
        /** A hint, or a low-water record. */
        RECORD,
        /** A statement in a transaction of a sink, or the row with which a sink begins. */
        STATEMENT,
        /** The commit of such a transaction. */
        COMMIT
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + subject + (phase.isEmpty() ? "" : " becomes " + phase);
    }
}

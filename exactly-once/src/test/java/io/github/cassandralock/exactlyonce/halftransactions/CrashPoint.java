package io.github.cassandralock.exactlyonce.halftransactions;

/**
 * Where a process ends.
 *
 * @param number of the operation, from 0, in the order in which the process asks for them
 * @param moment at which of its moments
 */
record CrashPoint(int number, Moment moment) {

    enum Moment {
        /** The operation is not sent. */
        BEFORE,
        /** The operation is done, and the process never gets the answer. */
        AFTER
    }

    static CrashPoint before(int number) {
        return new CrashPoint(number, Moment.BEFORE);
    }

    static CrashPoint after(int number) {
        return new CrashPoint(number, Moment.AFTER);
    }
}

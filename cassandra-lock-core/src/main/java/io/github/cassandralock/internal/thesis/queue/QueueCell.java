package io.github.cassandralock.internal.thesis.queue;

/**
 * A thread's place in the queue. Names sort by arrival, and equal arrivals by thread id (thesis, listing 6).
 *
 * @param micros when the thread arrived, in microseconds of the time service
 * @param threadId the name of the acquisition
 */
record QueueCell(long micros, String threadId) {

    private static final int TIME_DIGITS = 20;

    /** 20 digits of microseconds, then the thread id. */
    String name() {
        return digits(micros) + threadId;
    }

    /** Returns the cell of this name. */
    static QueueCell of(String cellName) {
        return new QueueCell(arrivalOf(cellName), cellName.substring(TIME_DIGITS));
    }

    /** Returns the time of arrival from a cell's name. */
    static long arrivalOf(String cellName) {
        return Long.parseLong(cellName.substring(0, TIME_DIGITS));
    }

    /** Returns a name that sorts before all cells that arrived at or after the given time. */
    static String firstNameAt(long micros) {
        return digits(Math.max(0, micros));
    }

    private static String digits(long micros) {
        String digits = Long.toString(micros);
        return "0".repeat(TIME_DIGITS - digits.length()) + digits;
    }
}

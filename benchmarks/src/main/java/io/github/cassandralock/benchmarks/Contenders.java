package io.github.cassandralock.benchmarks;

/**
 * Who wants one lock at the same time.
 *
 * @param processes how many
 * @param each how many contenders each process has; each contender has a session of its own to its lock service
 */
record Contenders(int processes, int each) {

    /** The processes share the memory of one machine. More contenders than this are shared out to so many processes. */
    static final int MOST_PROCESSES = 5;

    /**
     * So many contenders, in as many processes as is allowed.
     *
     * @throws IllegalArgumentException if not every process would have equally many
     */
    static Contenders of(int count) {
        if (count <= MOST_PROCESSES) {
            return new Contenders(count, 1);
        }
        if (count % MOST_PROCESSES != 0) {
            throw new IllegalArgumentException(count + " contenders cannot be shared out evenly to " + MOST_PROCESSES
                    + " processes: give a number up to " + MOST_PROCESSES + ", or a multiple of it");
        }
        return new Contenders(MOST_PROCESSES, count / MOST_PROCESSES);
    }

    int count() {
        return processes * each;
    }
}

package io.github.cassandralock.benchmarks.outbox;

/** A way by which messages change something and are delivered, each once, on one PostgreSQL. */
public interface Way {

    /** For the report. */
    String name();

    /**
     * Passes messages, with nothing left of earlier passes that would be in the way.
     *
     * @param groups how many groups of messages
     * @param size messages of a group
     * @return what it took
     */
    Passage pass(int groups, int size) throws Exception;
}

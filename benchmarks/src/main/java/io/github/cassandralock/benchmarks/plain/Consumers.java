package io.github.cassandralock.benchmarks.plain;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.CountDownLatch;

/** Consumers that take all messages of a queue, in groups. */
interface Consumers {

    /** For the report. */
    String name();

    /**
     * Starts consumers, which begin at once. The table of effects is {@code shipments}.
     *
     * @param pool of a database whose queue is empty
     * @param copies how many consumers
     * @param group how many messages one transaction takes
     * @param messages how many the queue will have
     * @return what counts down for each message whose effect was made; closing it ends the consumers
     */
    Running start(HikariDataSource pool, int copies, int group, int messages) throws Exception;

    /**
     * Consumers that run.
     *
     * @param effects still to be made
     * @param closing ends them
     */
    record Running(CountDownLatch effects, AutoCloseable closing) implements AutoCloseable {

        @Override
        public void close() throws Exception {
            closing.close();
        }
    }

    /** Fills the queue. */
    void fill(HikariDataSource pool, int messages) throws Exception;
}

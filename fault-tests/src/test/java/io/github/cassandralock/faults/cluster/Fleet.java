package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.testing.checkers.History;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All workers. */
public final class Fleet implements AutoCloseable {

    /** The longest lease of a worker: each has another. */
    public static final Duration LONGEST_LEASE =
            WorkerSettings.ALL.get(WorkerSettings.ALL.size() - 1).lease();

    private static final int PROXY_THREADS = 2;

    private final EventLoopGroup proxyThreads = new NioEventLoopGroup(PROXY_THREADS);
    private final List<Worker> workers = new ArrayList<>();

    /** @param directory where they leave journals, logs and what they protect */
    public Fleet(int workers, Nodes nodes, Path directory, long seed) {
        for (int number = 1; number <= workers; number++) {
            this.workers.add(new Worker(number, nodes.addresses(), proxyThreads, directory, LONGEST_LEASE, seed));
        }
    }

    /** From the next start on, all workers send writes that are rare otherwise. */
    public void doErrands() {
        workers.forEach(Worker::doErrands);
    }

    public void start() {
        workers.forEach(Worker::start);
    }

    public List<Worker> workers() {
        return workers;
    }

    /** @param number from 1 */
    public Worker worker(int number) {
        return workers.get(number - 1);
    }

    /** Lets all end what they have begun, at the same time: each may hold a lock for longer than a lease. */
    public void stop() {
        workers.forEach(Worker::askToEnd);
        workers.forEach(Worker::stop);
    }

    public List<History> histories() {
        return workers.stream().flatMap(worker -> worker.histories().stream()).toList();
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
        proxyThreads.shutdownGracefully();
    }
}

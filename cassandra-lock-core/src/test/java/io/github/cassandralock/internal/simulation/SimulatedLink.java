package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Between one process and one cluster: requests and answers may be lost or late, and the link may be cut. */
final class SimulatedLink {

    /**
     * What happens to messages.
     *
     * @param lost the share that is lost
     * @param late the share that is late, by at most {@code latest}
     */
    record Weather(double lost, double late, Duration latest) {

        static final Weather FAIR = new Weather(0, 0, Duration.ZERO);
    }

    private static final long SLOWEST = Duration.ofMillis(6).toNanos();

    private final SimulatedTime time;
    private final SimulatedProcess process;
    private final SimulatedCluster cluster;
    private final RandomGenerator random;
    private Weather weather = Weather.FAIR;
    private final List<Runnable> heldBack = new ArrayList<>();
    private Duration timeout = Duration.ofMillis(500);
    private boolean cut;
    private boolean holdsBack;

    SimulatedLink(SimulatedTime time, SimulatedProcess process, SimulatedCluster cluster, RandomGenerator random) {
        this.time = time;
        this.process = process;
        this.cluster = cluster;
        this.random = random;
    }

    SimulatedProcess process() {
        return process;
    }

    void weather(Weather next) {
        weather = next;
    }

    /** How long the process waits for an answer. */
    void timeout(Duration next) {
        timeout = next;
    }

    void cut(boolean isCut) {
        cut = isCut;
    }

    /** Keeps the requests that are sent from now on until {@link #letThrough}. */
    void holdBack() {
        holdsBack = true;
    }

    /** New requests pass again, before those that are kept. */
    void holdBackNoMore() {
        holdsBack = false;
    }

    void letThrough() {
        List<Runnable> late = List.copyOf(heldBack);
        heldBack.clear();
        late.forEach(Runnable::run);
    }

    /** A request that was sent is performed, however late, also if its client waits no longer. */
    <T> CompletableFuture<T> ask(Function<SimulatedCluster, T> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable performed = () -> {
            if (!cluster.isDown()) {
                T given = request.apply(cluster);
                deliver(() -> process.run(() -> answer.complete(given)));
            }
        };
        if (holdsBack) {
            heldBack.add(performed);
        } else {
            deliver(performed);
        }
        process.after(timeout)
                .thenRun(() -> answer.completeExceptionally(new TimeoutException("the cluster did not answer")));
        return answer;
    }

    private void deliver(Runnable arrival) {
        if (!cut && random.nextDouble() >= weather.lost()) {
            long late = random.nextDouble() < weather.late()
                    ? random.nextLong(weather.latest().toNanos() + 1)
                    : 0;
            time.at(random.nextLong(SLOWEST) + late, () -> {
                if (!cut) {
                    arrival.run();
                }
            });
        }
    }
}

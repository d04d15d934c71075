package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages. Each has its own delay, so they may overtake each other; some get lost, some are very late, and some
 * connections are closed for a while.
 */
public final class SimulatedNetwork {

    private static final long SHORTEST = 100_000;
    private static final long LATEST_HINT = Duration.ofSeconds(10).toNanos();

    /** A closed connection: no message of this client, table and replica passes; null or -1 means all. */
    private record Outage(
            @Nullable SimulatedProcess client, @Nullable String table, int replica, long from, long to) {

        boolean closes(SimulatedProcess client, String table, int replica, long now) {
            return now >= from
                    && now < to
                    && (this.client == null || this.client == client)
                    && (this.table == null || this.table.equals(table))
                    && (this.replica < 0 || this.replica == replica);
        }

        /** Whether it separates this replica from the others. */
        boolean isDown(String table, int replica, long now) {
            return now >= from
                    && now < to
                    && client == null
                    && (this.table == null || this.table.equals(table))
                    && this.replica == replica;
        }
    }

    private final SimulatedTime time;
    private final RandomGenerator random;
    private final List<Outage> outages = new ArrayList<>();
    private final FaultModel.Transport transport;
    private boolean healed;
    private final List<Runnable> heldBack = new ArrayList<>();
    private @Nullable SimulatedProcess holdsBack;
    private Executor processors = Runnable::run;

    public SimulatedNetwork(SimulatedTime time, RandomGenerator random, FaultModel.Transport transport) {
        this.time = time;
        this.random = random;
        this.transport = transport;
    }

    /** From now on all senders and receivers share the same few processors. */
    void shareProcessors(Executor shared) {
        processors = shared;
    }

    boolean isHealed() {
        return healed;
    }

    /** From now on every message arrives in milliseconds. */
    public void heal() {
        healed = true;
        outages.clear();
    }

    /**
     * Closes a connection for a while.
     *
     * @param client null: for all
     * @param table null: to all
     * @param replica -1: to all
     */
    public void close(
            @Nullable SimulatedProcess client, @Nullable String table, int replica, Duration after, Duration length) {
        long from = time.now() + after.toNanos();
        outages.add(new Outage(client, table, replica, from, from + length.toNanos()));
    }

    /** Keeps the messages of this client that are sent from now on; null: of none. */
    void holdBack(@Nullable SimulatedProcess client) {
        holdsBack = client;
    }

    /** Delivers what was kept. */
    void letThrough() {
        List<Runnable> late = List.copyOf(heldBack);
        heldBack.clear();
        late.forEach(Runnable::run);
    }

    void send(SimulatedProcess client, String table, int replica, Runnable arrival) {
        if (client == holdsBack) {
            heldBack.add(arrival);
            return;
        }
        if (!healed && random.nextDouble() < transport.lossRate()) {
            return;
        }
        Outage closed = closing(client, table, replica);
        if (closed != null) {
            hint(closed, arrival);
            return;
        }
        boolean late = !healed && random.nextDouble() < transport.lateRate();
        deliver((late ? transport.latest() : transport.longest()).toNanos(), late ? 1 : client.distance(), arrival);
    }

    private void deliver(long longest, double part, Runnable arrival) {
        long onItsWay = random.nextLong(SHORTEST, Math.max(SHORTEST + 1, (long) (longest * part)));
        time.at(onItsWay, () -> processors.execute(arrival));
    }

    /** A message of one replica's server to another's, or to itself. */
    void sendBetweenServers(String table, int from, int to, Runnable arrival) {
        if (from != to
                && !healed
                && (random.nextDouble() < transport.lossRate() || isDown(table, from) || isDown(table, to))) {
            return;
        }
        boolean late = from != to && !healed && random.nextDouble() < transport.lateRate();
        deliver((late ? transport.latest() : transport.longest()).toNanos(), 1, arrival);
    }

    private boolean isDown(String table, int replica) {
        for (Outage outage : outages) {
            if (outage.isDown(table, replica, time.now())) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Outage closing(SimulatedProcess client, String table, int replica) {
        for (Outage outage : outages) {
            if (outage.closes(client, table, replica, time.now())) {
                return outage;
            }
        }
        return null;
    }

    /** A write that a replica misses while it is down may be stored as a hint, and reach the replica when it is up again. */
    private void hint(Outage outage, Runnable arrival) {
        if (outage.replica() >= 0 && random.nextBoolean()) {
            long untilUp = outage.to() - time.now();
            time.at(Duration.ofNanos(untilUp + random.nextLong(LATEST_HINT)), () -> processors.execute(arrival));
        }
    }

    /** For how long a client waits for an answer. */
    Duration timeout() {
        return transport.timeout();
    }

    void atTimeout(Runnable action) {
        time.atTimeout(transport.timeout(), action);
    }
}

package io.github.cassandralock.internal.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Three replicas of one table, asked by majority as Cassandra does it: a request goes to all and ends with the first two
 * answers. One that was given up by its client may be executed all the same, at once or later.
 */
final class SimulatedQuorum<R> {

    static final int QUORUM = 2;

    private final SimulatedNetwork network;
    private final String table;
    private final List<R> replicas;

    SimulatedQuorum(SimulatedNetwork network, String table, List<R> replicas) {
        this.network = network;
        this.table = table;
        this.replicas = replicas;
    }

    /** Sends a request to every replica and goes on, on the client, with the first answers, or without. */
    <T> void ask(
            SimulatedProcess client, int needed, Function<R, T> request, Consumer<List<T>> quorum, Runnable timeout) {
        List<T> answers = new ArrayList<>();
        boolean[] ended = new boolean[1];
        for (int replica = 0; replica < replicas.size(); replica++) {
            int number = replica;
            network.send(client, table, number, () -> {
                T given = request.apply(replicas.get(number));
                network.send(
                        client,
                        table,
                        number,
                        () -> client.run(() -> {
                            answers.add(given);
                            if (answers.size() == needed && !ended[0]) {
                                ended[0] = true;
                                quorum.accept(answers);
                            }
                        }));
            });
        }
        network.atTimeout(() -> {
            if (!ended[0]) {
                client.run(() -> {
                    if (!ended[0]) {
                        ended[0] = true;
                        timeout.run();
                    }
                });
            }
        });
    }
}

package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Registers on which three replicas agree by Paxos, as Cassandra's lightweight transactions do: prepare, propose, commit, each
 * by a majority. A coordinator that finds a proposal that was accepted and not committed completes it first, so a change may be
 * applied after its client took it for failed. Refusals and reads propose the present value again, so that no older one follows.
 */
final class SimulatedPaxos<K, V> {

    private static final int REPLICAS = 3;
    private static final int MAJORITY = 2;
    private static final long LONGEST_BACKOFF = Duration.ofMillis(30).toNanos();

    private record Proposal<V>(long ballot, @Nullable V value) {}

    private record Promise<V>(Optional<Proposal<V>> accepted, Proposal<V> committed) {}

    /** One key on one replica. */
    private static final class Register<V> {

        private long promised;
        private Optional<Proposal<V>> accepted = Optional.empty();
        private Proposal<V> committed = new Proposal<>(0, null);

        Optional<Promise<V>> prepare(long ballot) {
            if (ballot <= promised) {
                return Optional.empty();
            }
            promised = ballot;
            return Optional.of(new Promise<>(accepted, committed));
        }

        boolean accept(Proposal<V> proposal) {
            if (proposal.ballot() < promised) {
                return false;
            }
            promised = proposal.ballot();
            accepted = Optional.of(proposal);
            return true;
        }

        void commit(Proposal<V> proposal) {
            if (proposal.ballot() > committed.ballot()) {
                committed = proposal;
            }
            accepted = accepted.filter(pending -> pending.ballot() > proposal.ballot());
        }
    }

    /** The decision of a transaction for the value that it finds. */
    record Decision<V, T>(@Nullable V value, T answer) {}

    private final SimulatedTime time;
    private final SimulatedNetwork network;
    private final String table;
    private final RandomGenerator random;
    private final List<Map<K, Register<V>>> replicas = new ArrayList<>();
    private long ballots;

    SimulatedPaxos(SimulatedTime time, SimulatedNetwork network, String table, RandomGenerator random) {
        this.time = time;
        this.network = network;
        this.table = table;
        this.random = random;
        for (int replica = 0; replica < REPLICAS; replica++) {
            replicas.add(new HashMap<>());
        }
    }

    /** All replicas forget everything. What is on its way arrives nevertheless. */
    void empty() {
        replicas.forEach(Map::clear);
    }

    /** The latest value that was committed on any replica. */
    Optional<V> latest(K key) {
        return replicas.stream()
                .map(replica -> register(replica, key).committed)
                .max(Comparator.comparingLong(Proposal::ballot))
                .map(Proposal::value);
    }

    private static <K, V> Register<V> register(Map<K, Register<V>> replica, K key) {
        return replica.computeIfAbsent(key, id -> new Register<>());
    }

    /**
     * Sends a client's request to a coordinator, which works on it for as long as the client waits, and the answer back.
     *
     * @param decide what to write, and what to answer then; the value found, to change nothing
     * @param answer told at most once; never, if too few replicas answer or others interfere in the middle
     */
    <T> void ask(SimulatedProcess client, K key, Function<Optional<V>, Decision<V, T>> decide, Consumer<T> answer) {
        int coordinator = random.nextInt(REPLICAS);
        long end = time.now() + network.timeout().toNanos();
        Consumer<T> back =
                given -> network.send(client, table, coordinator, () -> client.run(() -> answer.accept(given)));
        network.send(
                client, table, coordinator, () -> new Transaction<>(coordinator, key, end, decide, back).prepare());
    }

    private final class Transaction<T> {

        private final int coordinator;
        private final K key;
        private final long end;
        private final Function<Optional<V>, Decision<V, T>> decide;
        private final Consumer<T> answer;

        Transaction(
                int coordinator, K key, long end, Function<Optional<V>, Decision<V, T>> decide, Consumer<T> answer) {
            this.coordinator = coordinator;
            this.key = key;
            this.end = end;
            this.decide = decide;
            this.answer = answer;
        }

        void prepare() {
            if (time.now() >= end) {
                return;
            }
            long ballot = ++ballots;
            ask(register -> register.prepare(ballot), promises -> promised(ballot, promises), this::tryAgain);
        }

        private void tryAgain() {
            time.at(Duration.ofNanos(random.nextLong(LONGEST_BACKOFF)), this::prepare);
        }

        private void promised(long ballot, List<Promise<V>> promises) {
            Proposal<V> committed = promises.stream()
                    .map(Promise::committed)
                    .max(Comparator.comparingLong(Proposal::ballot))
                    .orElseThrow();
            Optional<Proposal<V>> inDoubt = promises.stream()
                    .flatMap(promise -> promise.accepted().stream())
                    .filter(accepted -> accepted.ballot() > committed.ballot())
                    .max(Comparator.comparingLong(Proposal::ballot));
            if (inDoubt.isPresent()) {
                propose(new Proposal<>(ballot, inDoubt.get().value()), this::prepare);
            } else {
                Decision<V, T> decision = decide.apply(Optional.ofNullable(committed.value()));
                propose(new Proposal<>(ballot, decision.value()), () -> answer.accept(decision.answer()));
            }
        }

        /**
         * If others interfered, some replicas may have accepted the proposal: its outcome is unknown, so the client
         * gets no answer.
         */
        private void propose(Proposal<V> proposal, Runnable committed) {
            ask(
                    register -> register.accept(proposal) ? Optional.of(true) : Optional.empty(),
                    accepted -> commit(proposal, committed),
                    () -> {});
        }

        private void commit(Proposal<V> proposal, Runnable committed) {
            ask(
                    register -> {
                        register.commit(proposal);
                        return Optional.of(true);
                    },
                    done -> committed.run(),
                    () -> {});
        }

        /** Continues with the first majority of answers, or with the first refusal, whichever comes first. */
        private <A> void ask(Function<Register<V>, Optional<A>> request, Consumer<List<A>> majority, Runnable refused) {
            List<A> answers = new ArrayList<>();
            boolean[] ended = new boolean[1];
            for (int replica = 0; replica < REPLICAS; replica++) {
                int number = replica;
                network.sendBetweenServers(table, coordinator, number, () -> {
                    Optional<A> given = request.apply(register(replicas.get(number), key));
                    network.sendBetweenServers(table, number, coordinator, () -> {
                        given.ifPresent(answers::add);
                        if (!ended[0] && (given.isEmpty() || answers.size() == MAJORITY)) {
                            ended[0] = true;
                            if (given.isEmpty()) {
                                refused.run();
                            } else {
                                majority.accept(answers);
                            }
                        }
                    });
                });
            }
        }
    }
}

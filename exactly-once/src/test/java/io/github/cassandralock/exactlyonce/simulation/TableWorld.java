package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.table.TableCopy;
import io.github.cassandralock.exactlyonce.table.TableListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Messages in a table, some of which fail for ever and some now and then, and copies that take them in groups. */
final class TableWorld extends World {

    private static final int PUSHERS = 3;

    private final List<String> violations = new ArrayList<>();
    private final SimulatedTable table;
    private final long messages;
    private final Set<Long> ill = new HashSet<>();
    private final Map<Long, Integer> lanes = new TreeMap<>();
    private final Map<Long, Transaction> transactions = new TreeMap<>();

    private TableWorld(long seed, Function<SplittableRandom, Faults> faultModel) {
        super(seed, faultModel, (register, history) -> {});
        messages = 3L + random.nextInt(12);
        double flaky = random.nextDouble() * 0.2;
        for (long message = 0; message < messages; message++) {
            if (random.nextInt(5) == 0) {
                ill.add(message);
            }
            if (random.nextInt(2) == 0) {
                lanes.put(message, random.nextInt(2));
            }
        }
        table = new SimulatedTable(
                scheduler, random, this::faults, message -> ill.contains(message) || random.nextDouble() < flaky);
        for (int pusher = 0; pusher < PUSHERS; pusher++) {
            thread("push-orders-" + pusher, 1, false, this::push);
        }
        int group = 1 + random.nextInt(5);
        role(
                "method",
                2 + random.nextInt(2),
                true,
                (threads, copy) -> Running.of(new TableCopy(
                        "orders", table, group, PAUSES, PAUSES, "" + copy, List.of(listener()), environment(threads))));
    }

    /** Transactions that overlap may be committed in another order than that of their ids. */
    private void push() throws InterruptedException {
        while (table.inserted() < messages) {
            long began = scheduler.step();
            long id = table.insert();
            do {
                scheduler.pass();
            } while (random.nextInt(3) > 0);
            table.commit(id, Optional.ofNullable(lanes.get(id)));
            transactions.put(id, new Transaction(began, scheduler.step()));
        }
    }

    /** When the transaction that pushed a message began and was committed. */
    private record Transaction(long began, long committed) {

        boolean isBefore(Transaction other) {
            return committed < other.began;
        }
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        TableWorld world = new TableWorld(seed, faultModel);
        world.runToTheEnd();
        world.check();
        SimulationTotals.add(world);
        return world.violations;
    }

    private TableListener listener() {
        return new TableListener() {
            @Override
            public void onFailed(String queue, Throwable cause) {
                failed(queue, cause);
            }
        };
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), what));
    }

    private long healthy() {
        return table.pushed().stream().filter(message -> !waits(message)).count();
    }

    /** A message that is ill waits for ever, and with it all later ones of its lane. */
    private boolean waits(long message) {
        return ill.stream()
                .anyMatch(each -> each == message
                        || (each < message
                                && lanes.containsKey(each)
                                && lanes.get(each).equals(lanes.get(message))));
    }

    @Override
    protected boolean isDone() {
        return haveEnded("push-") && new HashSet<>(table.effects).size() >= healthy();
    }

    @Override
    protected String told() {
        return "effects " + table.effects + " of " + table.pushed() + ", of which these fail: " + ill
                + "; transactions " + transactions;
    }

    /** Whether a message took effect before another that was committed when its transaction began. */
    private boolean isOvertaking(List<Long> effects) {
        return IntStream.range(1, effects.size())
                .anyMatch(later -> IntStream.range(0, later)
                        .anyMatch(earlier ->
                                transaction(effects.get(later)).isBefore(transaction(effects.get(earlier)))));
    }

    private Transaction transaction(long message) {
        return Objects.requireNonNull(transactions.get(message));
    }

    private void check() {
        if (new HashSet<>(table.effects).size() < table.effects.size()) {
            violated(Violation.DOUBLE, "effects " + table.effects);
        }
        for (int lane = 0; lane < 2; lane++) {
            int of = lane;
            List<Long> inOrder = table.effects.stream()
                    .filter(message -> Objects.equals(lanes.get(message), of))
                    .toList();
            if (isOvertaking(inOrder)) {
                violated(Violation.SEQUENCE, "effects of a lane " + inOrder + "; transactions " + transactions);
            }
        }
        if (!table.isEachThereOrDone()) {
            violated(Violation.LOST, told());
        }
    }
}

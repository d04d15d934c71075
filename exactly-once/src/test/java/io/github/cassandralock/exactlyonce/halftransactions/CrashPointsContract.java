package io.github.cassandralock.exactlyonce.halftransactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Direction;
import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Producer;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Half transactions between two stores, with a process that ends before and after each operation that changes a store, one by one.
 * Then others go on; then another process, which has nothing but the stores, finishes. It catches whatever is not decided by one
 * operation: an effect that is made twice or never, a message that is lost, doubled or out of order, money that is made or lost.
 */
abstract class CrashPointsContract {

    /** How what is wrong after a crash begins. */
    static final String ENDED = "A process ended ";

    private int runs;

    abstract Stores stores();

    /** Never used before in these stores; letters and digits. */
    final String newRun() {
        return "r" + runs++;
    }

    final HalfTransactions begin(String run, Direction direction, Producer producer) throws Exception {
        HalfTransactions begun = direction.begin(stores(), run, producer);
        begun.createAccounts();
        return begun;
    }

    /** What a process asks for that does not end before all is done. */
    final List<Operation> operations(Direction direction, Producer producer) throws Exception {
        HalfTransactions run = begin(newRun(), direction, producer);
        KillableProcess process = KillableProcess.ofThreads(Optional.empty());
        run.work(process);
        run.assertMoneyIsRight();
        return process.operations();
    }

    private void assertAnotherFinishes(Direction direction, Producer producer, CrashPoint crash) throws Exception {
        HalfTransactions run = begin(newRun(), direction, producer);
        KillableProcess killed = KillableProcess.ofThreads(Optional.of(crash));
        run.work(killed);
        assertThat(killed.isDead()).as("it has ended at %s", crash).isTrue();
        run.othersGoOn();
        run.work(KillableProcess.ofThreads(Optional.empty()));
        run.assertMoneyIsRight();
        KillableProcess late = KillableProcess.ofThreads(Optional.empty());
        run.work(late);
        assertThat(late.operations()).as("what is left to be done").isEmpty();
    }

    final void assertAnotherFinishesAfterEach(
            Direction direction, Producer producer, List<Operation> operations, Stream<CrashPoint> crashes) {
        assertThat(crashes).isNotEmpty().allSatisfy(crash -> {
            Operation operation = operations.get(crash.number());
            try {
                assertAnotherFinishes(direction, producer, crash);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "a process that ended " + crash.moment() + " operation " + crash.number() + ", " + operation,
                        e);
            }
        });
    }

    /**
     * A process that ended before or after an operation.
     *
     * @param oneOf at one of so many of these points, at others in each run; {@code -Dcrash.points.one-of=1}: at all of them
     */
    final void assertAnotherFinishesWhereverAProcessEnds(Direction direction, Producer producer, int oneOf)
            throws Exception {
        List<Operation> operations = operations(direction, producer);
        List<CrashPoint> all = CrashRow.allIn(operations).toList();
        int step = Integer.getInteger("crash.points.one-of", oneOf);
        int first = new SplittableRandom().nextInt(step);
        assertAnotherFinishesAfterEach(
                direction,
                producer,
                operations,
                IntStream.iterate(first, number -> number < all.size(), number -> number + step)
                        .mapToObj(all::get));
    }

    static Stream<Arguments> directions() {
        return Stream.of(Direction.values())
                .flatMap(direction -> Stream.of(Producer.values()).map(producer -> Arguments.of(direction, producer)));
    }

    /** Nothing goes through an outbox in Cassandra. */
    static Stream<Arguments> rows() {
        return Stream.of(CrashRow.values())
                .flatMap(row -> Stream.of(Direction.values())
                        .filter(direction ->
                                row != CrashRow.OUTBOX_WRITTEN || direction == Direction.POSTGRES_TO_CASSANDRA)
                        .map(direction -> Arguments.of(row, direction)));
    }
}

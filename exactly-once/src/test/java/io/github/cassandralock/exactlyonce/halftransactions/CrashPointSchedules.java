package io.github.cassandralock.exactlyonce.halftransactions;

import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Direction;
import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Producer;
import io.github.cassandralock.exactlyonce.simulation.ExactlyOnceSchedules;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The crash points of {@link CrashPointsTest}, for planted faults. They need no seed. */
enum CrashPointSchedules implements ExactlyOnceSchedules {
    TO_POSTGRES(Direction.CASSANDRA_TO_POSTGRES),
    TO_CASSANDRA(Direction.POSTGRES_TO_CASSANDRA);

    private final Direction direction;

    CrashPointSchedules(Direction direction) {
        this.direction = direction;
    }

    /** The first thing that is wrong after a crash; or what is wrong without one. */
    @Override
    public List<String> apply(long seed) {
        CrashPointsTest test = new CrashPointsTest();
        try {
            List<Operation> operations = test.operations(direction, Producer.ORDINARY);
            return CrashRow.allIn(operations)
                    .flatMap(crash -> wrongAfter(test, operations, crash).stream())
                    .limit(1)
                    .toList();
        } catch (Exception | AssertionError e) {
            return List.of("Without a crash: " + e);
        } finally {
            test.close();
        }
    }

    private Optional<String> wrongAfter(CrashPointsTest test, List<Operation> operations, CrashPoint crash) {
        try {
            test.assertAnotherFinishesAfterEach(direction, Producer.ORDINARY, operations, Stream.of(crash));
            return Optional.empty();
        } catch (AssertionError e) {
            return Optional.of(CrashPointsContract.ENDED + crash.moment() + " " + operations.get(crash.number()));
        }
    }
}

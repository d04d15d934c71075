package io.github.cassandralock.exactlyonce.halftransactions;

import io.github.cassandralock.exactlyonce.halftransactions.CrashPoint.Moment;
import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Direction;
import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Producer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The process of the copies of a half transaction. It halts at an operation, or ends when all is done. */
final class HalfTransactionsMain {

    /** With which it halts at its crash point. */
    static final int HALTED = 86;

    private HalfTransactionsMain() {}

    static List<String> arguments(
            RealStores.Address address,
            String run,
            Direction direction,
            Producer producer,
            Optional<CrashPoint> crash) {
        List<String> arguments = new ArrayList<>(address.arguments());
        arguments.addAll(List.of(run, direction.name(), producer.name()));
        crash.ifPresent(point -> arguments.addAll(
                List.of(Integer.toString(point.number()), point.moment().name())));
        return arguments;
    }

    /** @param arguments see {@link #arguments} */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        Optional<CrashPoint> crash = words.size() > 7
                ? Optional.of(new CrashPoint(Integer.parseInt(words.get(7)), Moment.valueOf(words.get(8))))
                : Optional.empty();
        try (RealStores stores = RealStores.connect(RealStores.Address.ofArguments(words))) {
            Direction.valueOf(words.get(5))
                    .begin(stores.open(), words.get(4), Producer.valueOf(words.get(6)))
                    .work(KillableProcess.ofThisJvm(crash, HALTED));
        }
    }
}

package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.sink.Outbox;
import io.github.cassandralock.exactlyonce.sink.OutboxOrigin;
import io.github.cassandralock.exactlyonce.sink.OutboxTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The outbox of a {@link SimulatedSink}, whose effects add rows to it. */
final class SimulatedOutbox implements Outbox {

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final Supplier<Faults> faults;
    private final BooleanSupplier hasSink;
    private final List<Message> rows = new ArrayList<>();
    private Optional<OutboxTarget> target = Optional.empty();

    /** @param hasSink whether the sink has begun */
    SimulatedOutbox(Scheduler scheduler, SplittableRandom random, Supplier<Faults> faults, BooleanSupplier hasSink) {
        this.scheduler = scheduler;
        this.random = random;
        this.faults = faults;
        this.hasSink = hasSink;
    }

    void add(Message message) {
        rows.add(message);
    }

    /** As a backup does it. */
    void forgetFrom(int row) {
        while (rows.size() > row) {
            rows.remove(rows.size() - 1);
        }
    }

    List<Message> rows() {
        return rows;
    }

    int size() {
        return rows.size();
    }

    @Override
    public Optional<List<byte[]>> readRow(long number) throws InterruptedException {
        scheduler.pass();
        boolean old = random.nextDouble() < faults.get().stale();
        return number < rows.size() && !old ? Optional.of(rows.get((int) number).payloads()) : Optional.empty();
    }

    @Override
    public Optional<OutboxOrigin> readOrigin() throws InterruptedException {
        scheduler.pass();
        return hasSink.getAsBoolean() ? Optional.of(new OutboxOrigin(rows.size(), target, false)) : Optional.empty();
    }

    @Override
    public void sendTo(OutboxTarget first) throws InterruptedException {
        scheduler.pass();
        target = target.or(() -> Optional.of(first));
    }
}

package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.sink.SinkOrigin;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store with transactions: position and effects change together, or not at all. */
final class SimulatedSink implements TransactionalSink {

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final Supplier<Faults> faults;
    private final Consumer<Message> effect;
    private final List<SinkPosition> positions = new ArrayList<>();
    private Optional<SinkOrigin> origin = Optional.empty();
    final List<Message> taken = new ArrayList<>();

    SimulatedSink(Scheduler scheduler, SplittableRandom random, Supplier<Faults> faults, Consumer<Message> effect) {
        this.scheduler = scheduler;
        this.random = random;
        this.faults = faults;
        this.effect = effect;
    }

    /** -1 if it has not begun. */
    long index() {
        return positions.isEmpty() ? -1 : present().index();
    }

    /** Where it began: messages before that were cleaned before it was registered. */
    long firstIndex() {
        return positions.isEmpty() ? 0 : positions.get(0).index();
    }

    /** As a backup does it: forgets the last messages. */
    void forget(int messages) {
        for (int i = 0; i < messages && positions.size() > 1; i++) {
            positions.remove(positions.size() - 1);
            taken.remove(taken.size() - 1);
        }
    }

    private SinkPosition present() {
        return positions.get(positions.size() - 1);
    }

    private void answerOrNot() throws InterruptedException {
        scheduler.pass();
        if (random.nextDouble() < faults.get().unavailable()) {
            throw new RegisterUnavailableException("no answer", new IllegalStateException());
        }
    }

    @Override
    public Optional<SinkOrigin> readOrigin() throws InterruptedException {
        answerOrNot();
        return origin;
    }

    @Override
    public void begin(SinkOrigin first, SinkPosition position) throws InterruptedException {
        answerOrNot();
        if (origin.isEmpty()) {
            origin = Optional.of(first);
            positions.add(position);
        }
    }

    @Override
    public SinkPosition readPosition() throws InterruptedException {
        answerOrNot();
        int old = random.nextDouble() < faults.get().stale() ? random.nextInt(4) : 0;
        return positions.get(Math.max(0, positions.size() - 1 - old));
    }

    @Override
    public boolean take(SinkPosition from, Message message, SinkPosition to) throws InterruptedException {
        scheduler.pass();
        double drawn = random.nextDouble();
        if (drawn < faults.get().unavailable()) {
            throw new RegisterUnavailableException("rolled back", new IllegalStateException());
        }
        boolean unknown = drawn < faults.get().unavailable() + faults.get().unknown();
        boolean committed = (!unknown || random.nextBoolean()) && commit(from, message, to);
        if (unknown) {
            throw new UnknownOutcomeException("no answer to the commit", new IllegalStateException());
        }
        return committed;
    }

    private boolean commit(SinkPosition from, Message message, SinkPosition to) throws InterruptedException {
        if (present().index() != from.index()) {
            return false;
        }
        positions.add(to);
        taken.add(message);
        effect.accept(message);
        return true;
    }
}

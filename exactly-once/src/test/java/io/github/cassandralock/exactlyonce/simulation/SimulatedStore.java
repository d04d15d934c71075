package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A store of registers that keeps every version that there was. */
final class SimulatedStore implements RegisterStore {

    /** Told of every version. */
    interface Observer {
        void written(String register, List<StoredValue> history);
    }

    private record LateWrite(long landsAt, String register, long expected, Bytes value, WriteId writeId) {}

    private static final int OLDEST_STALE = 12;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final Supplier<Faults> faults;
    private final Observer observer;
    private final Map<String, List<StoredValue>> registers = new TreeMap<>();
    private final List<LateWrite> late = new ArrayList<>();
    long requests;
    long unknownOutcomes;
    long landedLate;

    SimulatedStore(Scheduler scheduler, SplittableRandom random, Supplier<Faults> faults, Observer observer) {
        this.scheduler = scheduler;
        this.random = random;
        this.faults = faults;
        this.observer = observer;
    }

    /** All versions, from that of a register that nobody has written. */
    List<StoredValue> history(String register) {
        return registers.computeIfAbsent(register, name -> new ArrayList<>(List.of(StoredValue.neverWritten())));
    }

    Map<String, List<StoredValue>> registers() {
        return registers;
    }

    /** The newest version. */
    StoredValue present(String register) {
        List<StoredValue> history = history(register);
        return history.get(history.size() - 1);
    }

    Map<String, List<StoredValue>> backup(String... prefixes) {
        Map<String, List<StoredValue>> backup = new TreeMap<>();
        registers.forEach((register, history) -> {
            if (Stream.of(prefixes).anyMatch(register::startsWith)) {
                backup.put(register, new ArrayList<>(history));
            }
        });
        return backup;
    }

    /** What is under way is lost. */
    void restore(Map<String, List<StoredValue>> backup, String... prefixes) {
        Stream.of(prefixes).forEach(this::forget);
        registers.putAll(backup);
        late.clear();
    }

    /** As a restored or emptied store does it: nothing of these registers was ever there. */
    void forget(String prefix) {
        registers.keySet().removeIf(register -> register.startsWith(prefix));
        late.removeIf(write -> write.register().startsWith(prefix));
    }

    @Override
    public StoredValue read(String name) throws InterruptedException {
        scheduler.pass();
        requests++;
        if (random.nextDouble() < faults.get().unavailable()) {
            throw new RegisterUnavailableException("no answer", new IllegalStateException());
        }
        List<StoredValue> history = history(name);
        int newest = history.size() - 1;
        int old = random.nextDouble() < faults.get().stale() ? random.nextInt(OLDEST_STALE) : 0;
        return history.get(Math.max(0, newest - old));
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        scheduler.pass();
        requests++;
        RegisterLimits.requireRequest(name, expected, value);
        double drawn = random.nextDouble();
        if (drawn < faults.get().unavailable()) {
            throw new RegisterUnavailableException("no answer", new IllegalStateException());
        }
        if (drawn < faults.get().unavailable() + faults.get().unknown()) {
            loseAnswer(name, expected, value, writeId);
        }
        StoredValue before = present(name);
        return apply(name, expected, value, writeId)
                ? new CompareAndSetAnswer.Applied()
                : new CompareAndSetAnswer.Refused(before);
    }

    private void loseAnswer(String name, long expected, byte[] value, WriteId writeId) {
        unknownOutcomes++;
        switch (random.nextInt(3)) {
            case 0 -> apply(name, expected, value, writeId);
            case 1 ->
                late.add(new LateWrite(
                        scheduler.step() + 1 + random.nextInt(faults.get().lateness()),
                        name,
                        expected,
                        Bytes.of(value),
                        writeId));
            default -> {}
        }
        throw new UnknownOutcomeException("no answer", new IllegalStateException());
    }

    private boolean apply(String name, long expected, byte[] value, WriteId writeId) {
        if (present(name).getVersion() != expected) {
            return false;
        }
        List<StoredValue> history = history(name);
        history.add(StoredValue.of(expected + 1, writeId, value));
        observer.written(name, history);
        return true;
    }

    /** Lets the late writes land whose time has come. */
    void tick() {
        if (late.isEmpty()) {
            return;
        }
        Iterator<LateWrite> writes = late.iterator();
        List<LateWrite> landing = new ArrayList<>();
        while (writes.hasNext()) {
            LateWrite write = writes.next();
            if (write.landsAt() <= scheduler.step()) {
                writes.remove();
                landing.add(write);
            }
        }
        landing.forEach(this::land);
    }

    void landAll() {
        List<LateWrite> all = new ArrayList<>(late);
        late.clear();
        all.forEach(this::land);
    }

    private void land(LateWrite write) {
        if (apply(write.register(), write.expected(), write.value().toArray(), write.writeId())) {
            landedLate++;
        }
    }
}

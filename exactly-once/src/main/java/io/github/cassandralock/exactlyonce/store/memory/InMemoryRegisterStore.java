package io.github.cassandralock.exactlyonce.store.memory;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.util.HashMap;
import java.util.Map;

/**
 * Registers in memory, for tests of handlers. They exist as long as this object. Copies that share this object behave like copies
 * that share a database which always answers. Thread-safe; does not block.
 */
public final class InMemoryRegisterStore implements RegisterStore {

    private final Map<String, StoredValue> registers = new HashMap<>();

    /** Creates a store without registers. */
    public InMemoryRegisterStore() {}

    @Override
    public synchronized StoredValue read(String name) throws InterruptedException {
        requireNoInterrupt();
        RegisterLimits.requireName(name);
        return registers.getOrDefault(name, StoredValue.neverWritten());
    }

    @Override
    public synchronized CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        requireNoInterrupt();
        RegisterLimits.requireRequest(name, expected, value);
        StoredValue present = registers.getOrDefault(name, StoredValue.neverWritten());
        if (present.getVersion() != expected) {
            return new CompareAndSetAnswer.Refused(present);
        }
        registers.put(name, StoredValue.of(expected + 1, writeId, value));
        return new CompareAndSetAnswer.Applied();
    }

    private static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}

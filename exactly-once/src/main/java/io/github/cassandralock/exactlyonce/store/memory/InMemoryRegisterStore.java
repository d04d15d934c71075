package io.github.cassandralock.exactlyonce.store.memory;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Registers in memory, for tests of handlers. They exist as long as this object. Copies that share this object behave like copies
 * that share a database which always answers. Thread-safe; does not block.
 */
public final class InMemoryRegisterStore implements RegisterStore {

    private final ConcurrentMap<String, StoredValue> registers = new ConcurrentHashMap<>();

    /** Creates a store without registers. */
    public InMemoryRegisterStore() {}

    @Override
    public StoredValue read(String name) throws InterruptedException {
        requireNoInterrupt();
        RegisterLimits.requireName(name);
        return registers.getOrDefault(name, StoredValue.neverWritten());
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        requireNoInterrupt();
        RegisterLimits.requireRequest(name, expected, value);
        StoredValue written = StoredValue.of(expected + 1, writeId, value);
        StoredValue present = present(name);
        while (present.getVersion() == expected) {
            if (registers.replace(name, present, written)) {
                return new CompareAndSetAnswer.Applied();
            }
            present = present(name);
        }
        return new CompareAndSetAnswer.Refused(present);
    }

    private StoredValue present(String name) {
        return registers.computeIfAbsent(name, key -> StoredValue.neverWritten());
    }

    private static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}

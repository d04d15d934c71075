package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;

/** A keyspace of a store: another prefix is another keyspace, whose registers begin afresh. */
record PrefixedStore(String prefix, RegisterStore store) implements RegisterStore {

    @Override
    public StoredValue read(String name) throws InterruptedException {
        return store.read(prefix + name);
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        return store.compareAndSet(prefix + name, expected, value, writeId);
    }
}

package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.VersionedRegister;

/**
 * An index below which all cells are full. It may be far too low, since a process that pushed may have died before it raised it.
 */
record Hint(VersionedRegister register) {

    long read() throws InterruptedException {
        return indexIn(register.read());
    }

    /** Raises the hint. All cells below {@code index} must certainly be full. */
    void raiseTo(long index) throws InterruptedException {
        StoredValue present = register.read();
        while (indexIn(present) < index) {
            CompareAndSetOutcome outcome = register.compareAndSet(
                    present.getVersion(), new ByteEncoder().number(index).toBytes());
            if (outcome instanceof Applied) {
                return;
            }
            present = outcome.present();
        }
    }

    private long indexIn(StoredValue stored) {
        return stored.getVersion() == 0 ? 0 : new ByteDecoder(register.toString(), stored.getValue()).readNumber();
    }
}

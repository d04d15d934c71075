package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ends a copy at its next pause if the user's function has swallowed the interrupt by which it should have ended. */
final class Closing {

    private final AtomicBoolean begun = new AtomicBoolean();

    void begin() {
        begun.set(true);
    }

    /** Of this machine, for the copy that may be closed. */
    CopyEnvironment environment() {
        CopyEnvironment machine = CopyEnvironment.ofThisMachine();
        return new CopyEnvironment(
                machine.calendar(),
                length -> {
                    if (begun.get()) {
                        throw new InterruptedException("The copy is closed");
                    }
                    machine.pauser().pause(length);
                },
                machine.threads());
    }
}

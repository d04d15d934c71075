package io.github.cassandralock.internal.steps;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Fails if an extension is made without a comparison with what was seen: that was planted. */
class DeadlineRaceTest {

    @Test
    void deadlineThatOneThreadHasSeenPassIsNeverAheadAgainForAnother() {
        race(threads -> {
            AtomicLong clock = new AtomicLong();
            AtomicBoolean seenToPass = new AtomicBoolean();
            AtomicBoolean extended = new AtomicBoolean();
            Deadline deadline = new Deadline(clock::get, 10);
            threads.run(
                    () -> extended.set(deadline.extendTo(30)),
                    () -> {
                        clock.set(20);
                        seenToPass.set(deadline.hasPassed());
                    },
                    () -> {
                        boolean before = seenToPass.get();
                        require(!before || deadline.hasPassed(), "the deadline came back");
                    });
            require(deadline.hasPassed() == seenToPass.get(), "what was seen first does not hold any more");
            require(extended.get() != seenToPass.get(), "it was extended and has passed, or neither");
        });
    }
}

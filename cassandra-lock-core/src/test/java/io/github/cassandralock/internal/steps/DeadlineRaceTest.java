package io.github.cassandralock.internal.steps;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Fails if an extension does not compare the deadline with the one that it has read: this fault was planted once. */
class DeadlineRaceTest {

    @Test
    void deadlineThatOneThreadHasSeenPassStaysPassedForAllThreads() {
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
                        require(!before || deadline.hasPassed(), "the deadline had passed and now has not passed");
                    });
            require(
                    deadline.hasPassed() == seenToPass.get(),
                    "a thread saw the deadline pass, and now it has not passed");
            require(extended.get() != seenToPass.get(), "the deadline was extended and has passed, or neither");
        });
    }
}

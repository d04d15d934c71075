package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.store.Contact;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Threads of one process take a lock that it keeps, while another session asks for it and waits for it. What was told to be over
 * must not be granted any more. Costs two seconds. It fails if a kept lock is told to be over and is not given up, and if the
 * answer to a session that waits says that an attempt is over which a thread holds: each of these faults was planted once.
 */
class KeptLockRaceTest {

    private static final UUID OTHER = new UUID(7, 7);

    /** Longer than what the process skips, so that nothing but a notice ends it. */
    private static final Duration KEEP = Duration.ofSeconds(2);

    /** The other session, and the network in between. */
    private static final class Other implements NoticeChannel {

        private final AtomicLong over = new AtomicLong(Long.MIN_VALUE);
        private final AtomicInteger heard = new AtomicInteger();
        private Receiver receiver = (from, to, notice) -> {};
        private final RacingProcess process = new RacingProcess(this, KEEP, this::mustNotBeOver);

        @Override
        public Optional<Contact> open(UUID session) {
            return Optional.empty();
        }

        @Override
        public void receiveBy(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public boolean mayReach(UUID session) {
            return true;
        }

        @Override
        public void answer(UUID from, UUID to, Notice notice) {
            send(from, to, notice);
        }

        @Override
        public void send(UUID from, UUID to, Notice notice) {
            if (notice instanceof Notice.Over told) {
                Fact own = told.facts().get(0);
                over.accumulateAndGet(own.attempt(), Math::max);
                heard.incrementAndGet();
            }
        }

        /** While a thread holds the lock, what was told concerns earlier attempts only. */
        private void mustNotBeOver() {
            long attempt = process.slot().orElseThrow().attempt();
            require(over.get() <= attempt, "a thread holds the lock in an attempt that was told to be over");
        }

        void ask() {
            process.slot()
                    .ifPresent(slot -> receiver.received(
                            OTHER,
                            slot.session(),
                            new Notice.Ask(RacingProcess.LOCK, slot.id().number(), slot.attempt(), 1)));
        }

        void waitFor() {
            process.slot()
                    .ifPresent(slot -> receiver.received(
                            OTHER,
                            slot.session(),
                            new Notice.Waiting(
                                    RacingProcess.LOCK, slot.id().number(), slot.attempt(), 0, Long.MAX_VALUE / 2)));
        }
    }

    private static Runnable often(Runnable task) {
        return () -> IntStream.range(0, 200).forEach(round -> task.run());
    }

    @Test
    void keptLockThatAnotherSessionAsksForIsGrantedOrGivenUpAndNeverBoth() {
        race(threads -> {
            Other other = new Other();
            threads.run(
                    often(other.process::takeAndGiveBack), often(other::ask), often(other.process::takeAndGiveBack));
            other.ask();
            other.process.mustBeEmpty();
        });
    }

    @Test
    void keptLockThatAnotherSessionWaitsForIsGrantedOrGivenUpAndNeverBoth() {
        race(threads -> {
            Other other = new Other();
            threads.run(often(other.process::takeAndGiveBack), often(other::waitFor));
            other.waitFor();
            other.process.mustBeEmpty();
            require(other.heard.get() > 0, "the other session was never told");
        });
    }
}

package io.github.cassandralock.internal.session;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.threads.Leftovers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An observer that does not leave receives the death of its session exactly once, whatever other threads do meanwhile. The tests
 * fail if a session is forgotten in two steps (a check and a removal), if an observer can join a session that is removed already,
 * and if the observers are read before the session is removed: each of these faults was planted once.
 */
class SessionWatchRaceTest {

    private static final UUID SESSION = new UUID(1, 2);
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Optional<SessionRow> ALIVE =
            Optional.of(SessionRow.alive(new Beat(1, SESSION), LEASE, 0.05, "watched"));

    /** Reads and timers end when a thread of the scenario says so. */
    private static final class World extends InstantStore {

        private final Queue<CompletableFuture<Optional<SessionRow>>> reads = new ConcurrentLinkedQueue<>();
        private final Queue<CompletableFuture<Void>> timers = new ConcurrentLinkedQueue<>();
        private final SessionWatch watch;

        World() {
            super(new SimulatedTime());
            watch = new SessionWatch(new SessionContext(
                    this, new SessionSettings(LEASE, 0.05), () -> 0, this::timer, () -> SESSION, "watcher"));
        }

        private CompletableFuture<Void> timer(Duration delay) {
            CompletableFuture<Void> timer = new CompletableFuture<>();
            timers.add(timer);
            return timer;
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID session) {
            CompletableFuture<Optional<SessionRow>> read = new CompletableFuture<>();
            reads.add(read);
            return read;
        }

        void answer(Optional<SessionRow> row) {
            for (CompletableFuture<Optional<SessionRow>> read = reads.poll(); read != null; read = reads.poll()) {
                read.complete(row);
            }
        }

        void endTimers() {
            for (CompletableFuture<Void> timer = timers.poll(); timer != null; timer = timers.poll()) {
                timer.complete(null);
            }
        }

        /** Runs until nothing is under way. */
        void tellDeath() {
            while (!reads.isEmpty() || !timers.isEmpty()) {
                endTimers();
                answer(Optional.empty());
            }
        }
    }

    private static final class Observer implements SessionObserver {

        private final AtomicInteger told = new AtomicInteger();

        @Override
        public void dead(DeadSession session) {
            told.incrementAndGet();
        }

        void mustHaveHeard(String who) {
            require(told.get() == 1, who + " received the death of the session " + told.get() + " times");
        }

        void mustNotHaveHeardTwice(String who) {
            require(told.get() <= 1, who + " received the death of the session " + told.get() + " times");
        }
    }

    @Test
    void observerThatJoinsDuringTheReportOfADeathReceivesItOnce() {
        race(threads -> {
            World world = new World();
            Observer early = new Observer();
            Observer late = new Observer();
            world.watch.join(SESSION, early);
            threads.run(() -> world.answer(Optional.empty()), () -> world.watch.join(SESSION, late));
            world.tellDeath();
            early.mustHaveHeard("who was there before");
            late.mustHaveHeard("who came meanwhile");
        });
    }

    /** Uses many sessions, because the time between the two steps is short. */
    @Test
    void observerThatJoinsWhileTheSessionIsForgottenReceivesItsDeathOnce() {
        List<UUID> sessions =
                LongStream.range(0, 200).mapToObj(id -> new UUID(3, id)).toList();
        race(threads -> {
            World world = new World();
            Observer left = new Observer();
            sessions.forEach(session -> world.watch.join(session, left));
            world.answer(ALIVE);
            sessions.forEach(session -> world.watch.leave(session, left));
            List<Observer> coming =
                    Stream.generate(Observer::new).limit(sessions.size()).toList();
            threads.run(
                    world::endTimers,
                    () -> IntStream.range(0, sessions.size())
                            .forEach(number -> world.watch.join(sessions.get(number), coming.get(number))));
            world.tellDeath();
            coming.forEach(observer -> observer.mustHaveHeard("who came meanwhile"));
            require(left.told.get() == 0, "an observer that had left before was called");
        });
    }

    @Test
    void observersThatDoNotLeaveReceiveADeathOnceWhileOthersJoinAndLeave() {
        race(threads -> {
            World world = new World();
            List<Observer> staying = Stream.generate(Observer::new).limit(50).toList();
            List<Observer> going = Stream.generate(Observer::new).limit(50).toList();
            threads.run(
                    () -> staying.forEach(observer -> {
                        world.watch.join(SESSION, observer);
                        world.answer(Optional.empty());
                    }),
                    () -> going.forEach(observer -> {
                        world.watch.join(SESSION, observer);
                        world.answer(ALIVE);
                        world.watch.leave(SESSION, observer);
                        world.endTimers();
                    }));
            world.tellDeath();
            staying.forEach(observer -> observer.mustHaveHeard("who stayed"));
            going.forEach(observer -> observer.mustNotHaveHeardTwice("who left"));
            require(Leftovers.in(world.watch, "watched") == 0, "a session without observers is still watched");
        });
    }

    @Test
    void twoObserversThatJoinAtOnceShareOneWatchAndBothReceiveTheDeath() {
        race(threads -> {
            World world = new World();
            Observer one = new Observer();
            Observer other = new Observer();
            threads.run(() -> world.watch.join(SESSION, one), () -> world.watch.join(SESSION, other));
            require(world.reads.size() == 1, "reads of one session at the same time: " + world.reads.size());
            world.tellDeath();
            one.mustHaveHeard("the one");
            other.mustHaveHeard("the other");
        });
    }
}

package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The log lines that an operator reads. */
class TicketLogTest {

    private static final int MANY = 1_000;

    private final List<Logger> logs = Stream.of("session", "ticket")
            .map(name -> (Logger) LoggerFactory.getLogger("io.github.cassandralock.internal." + name))
            .toList();
    private final List<Level> usualLevels = logs.stream().map(Logger::getLevel).toList();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final FleetWorld world =
            new FleetWorld(1, false, List.of(SimulatedAlgorithm.TICKET, SimulatedAlgorithm.TICKET));

    @BeforeEach
    void listen() {
        lines.start();
        logs.forEach(log -> log.addAppender(lines));
        logs.forEach(log -> log.setLevel(Level.INFO));
    }

    @AfterEach
    void listenNoMore() {
        logs.forEach(log -> log.detachAppender(lines));
        IntStream.range(0, logs.size()).forEach(i -> logs.get(i).setLevel(usualLevels.get(i)));
    }

    private List<String> lines(Level atLeast) {
        return lines.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(atLeast))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void lossOfAThousandLocksIsAFewLinesThatNameEach() {
        LockAlgorithm algorithm = world.members().get(0).algorithm();
        List<Attempt> attempts = IntStream.range(0, MANY)
                .mapToObj(lock -> algorithm.acquire(AcquireRequest.waits("lock " + lock, "thread")))
                .toList();
        world.time().run(Duration.ofSeconds(1));
        assertThat(attempts)
                .as("locks, all held")
                .allMatch(attempt -> attempt.getOutcome().toCompletableFuture().isDone());
        world.closeSessions(world.members().get(0), Duration.ofSeconds(10));
        world.time().run(Duration.ofSeconds(30));
        assertThat(lines(Level.WARN))
                .as("the session's loss, the first lock's, and the others' together")
                .hasSizeBetween(3, 8);
        String all = String.join(" ", lines(Level.WARN));
        assertThat(IntStream.range(0, MANY).mapToObj(lock -> "'lock " + lock + "'"))
                .allMatch(all::contains);
    }

    /** The locker names some of them. */
    @Test
    void locksThatAreLostAtTheEndOfTheLockerAreNotLogged() {
        LockAlgorithm algorithm = world.members().get(0).algorithm();
        Attempt attempt = algorithm.acquire(AcquireRequest.waits("lock", "thread"));
        world.time().run(Duration.ofSeconds(1));
        Grant grant = attempt.getOutcome().toCompletableFuture().join().orElseThrow();
        grant.abandon(new LockLoss(LockLoss.Reason.CLOSED, "the application is shutting down"));
        grant.release();
        world.time().run(Duration.ofSeconds(30));
        assertThat(lines(Level.WARN)).isEmpty();
    }

    @Test
    void logOfAnEvictionNamesTheOwnerAndTheTimeSinceItsLastRenewal() {
        world.acquire(world.members().get(0));
        world.time().run(Duration.ofSeconds(1));
        world.members().get(0).process().kill();
        Attempt waiter = world.acquire(world.members().get(1));
        world.time().runUntil(() -> waiter.getOutcome().toCompletableFuture().isDone(), Duration.ofMinutes(1));
        assertThat(lines(Level.INFO))
                .filteredOn(line -> line.contains(FleetWorld.LOCK))
                .singleElement()
                .asString()
                .contains("simulated", "declared dead", "4.2 s");
    }

    @Test
    void debugLinesTellTheStoryOfOneLock() {
        logs.forEach(log -> log.setLevel(Level.DEBUG));
        Grant first = granted(world.acquire(world.members().get(0)));
        Attempt next = world.acquire(world.members().get(0));
        Attempt other = world.acquire(world.members().get(1));
        first.release();
        Grant local = granted(next);
        world.time().run(Duration.ofSeconds(1));
        local.release();
        granted(other).release();
        world.time().run(Duration.ofSeconds(1));
        assertThat(lines(Level.DEBUG))
                .filteredOn(line -> line.startsWith("Lock '" + FleetWorld.LOCK + "': "))
                .as("announced, granted, handed over, ticket, behind whom, released")
                .satisfiesOnlyOnce(line -> assertThat(line).contains("handed over to the next thread of this process"))
                .satisfiesOnlyOnce(line -> assertThat(line).contains("ticket 1 drawn; 1 others hold or request"))
                .satisfiesOnlyOnce(line -> assertThat(line).contains("waiting behind 1 others; first is session"))
                .anySatisfy(line -> assertThat(line).contains("announces attempt 1"))
                .anySatisfy(line -> assertThat(line).contains("acquires the lock; 0 others are ahead"))
                .anySatisfy(line -> assertThat(line).endsWith("is released"));
    }

    private Grant granted(Attempt attempt) {
        world.time().runUntil(() -> attempt.getOutcome().toCompletableFuture().isDone(), Duration.ofMinutes(1));
        return attempt.getOutcome()
                .toCompletableFuture()
                .getNow(Optional.empty())
                .orElseThrow();
    }
}

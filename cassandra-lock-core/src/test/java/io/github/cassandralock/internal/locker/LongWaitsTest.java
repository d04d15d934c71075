package io.github.cassandralock.internal.locker;

import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.call.WaitingCalls;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What the log says of calls that wait for a lock of their own process. Costs nothing. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LongWaitsTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final SharingAlgorithm algorithm = new SharingAlgorithm();
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final AlgorithmLocker locker = new AlgorithmLocker(algorithm, LEASE, process, process, List.of());
    private final ExecutorService worker = Executors.newSingleThreadExecutor(body -> new Thread(body, "worker-7"));
    private final Logger log = (Logger) LoggerFactory.getLogger(WaitingCalls.class);
    private final @Nullable Level usualLevel = log.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.WARN);
    }

    @AfterEach
    void close() {
        log.detachAppender(lines);
        log.setLevel(usualLevel);
        worker.shutdownNow();
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private <T> T onTheWorker(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, worker).join();
    }

    @Test
    void callThatWaitsForItsOwnProcessForLongSaysSoOnce() {
        RemoteLock held = locker.getLock("k");
        CompletableFuture<RemoteLock> waiting = onTheWorker(() -> locker.getLockAsync("k"));
        time.run(LEASE.multipliedBy(2));
        assertThat(warnings()).as("after two leases").isEmpty();
        time.run(LEASE.multipliedBy(2));
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("Lock 'k': thread 'worker-7' has waited for 45 s while thread '"
                        + Thread.currentThread().getName() + "' of the same process holds the lock in mode EXCLUSIVE");
        time.run(LEASE.multipliedBy(20));
        assertThat(warnings()).hasSize(1);
        held.close();
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void aThousandCallsThatWaitForOneLockAreOneLine() {
        locker.getLock("k");
        for (int call = 0; call < 1_000; call++) {
            locker.getLockAsync("k");
        }
        time.run(LEASE.multipliedBy(10));
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void eachLockIsNamedForWhichCallsWait() {
        List<String> lockIds = List.of("a", "b", "c", "d");
        lockIds.forEach(locker::getLock);
        lockIds.forEach(lockId -> onTheWorker(() -> locker.getLockAsync(lockId)));
        time.run(LEASE.multipliedBy(10));
        String holder = "thread '" + Thread.currentThread().getName() + "'";
        assertThat(warnings())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("More calls wait for long for locks that their own process holds: ");
        assertThat(String.join("\n", warnings())).contains("'a'", "'b'", "'c'", "'d'", "', which " + holder + " holds");
    }

    @Test
    void callThatWaitsForAnotherProcessSaysNothing() {
        AlgorithmLocker elsewhere = new AlgorithmLocker(algorithm, LEASE, process, process, List.of());
        elsewhere.getLock("k");
        locker.getLock("another");
        locker.getLockAsync("k");
        time.run(LEASE.multipliedBy(10));
        assertThat(warnings()).isEmpty();
    }

    @Test
    void conversionThatWaitsForItsOwnProcessForLongSaysSo() {
        LockRequest reading = LockRequest.of("k").mode(PROTECTED_READ);
        RemoteLock read = onTheWorker(() -> locker.getLock(reading));
        locker.getLock(reading);
        CompletableFuture<Void> conversion = read.convertAsync(EXCLUSIVE);
        time.run(LEASE.multipliedBy(10));
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains(
                        "a conversion of the lock that thread 'worker-7' took has waited for",
                        "while thread '" + Thread.currentThread().getName() + "' of the same process holds");
        conversion.cancel(false);
    }
}

package io.github.cassandralock.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

/**
 * A session, and what needs it, that start together while no node answers. Catches sessions of the driver that are built meanwhile, logs
 * that repeat themselves, and reasons that are no longer true.
 */
@Timeout(30)
class StartWithoutNodeTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Logger log = mock(Logger.class);
    private final Listener proxy = new Listener(Listener.Answer.CLOSING);
    private final AtomicInteger sessions = new AtomicInteger();
    private final CqlSession opened = mock(CqlSession.class);
    private final CountDownLatch tables = new CountDownLatch(1);
    private final CountDownLatch algorithm = new CountDownLatch(1);
    private final AtomicInteger tries = new AtomicInteger();
    private @Nullable ConnectingSession session;
    private @Nullable RepeatedStart<String> locks;

    @BeforeEach
    void begin() {
        when(opened.getMetadata()).thenReturn(mock(Metadata.class));
        when(opened.closeAsync()).thenReturn(CompletableFuture.completedFuture(null));
    }

    private RepeatedStart<String> start() {
        ConnectingSession connecting = ConnectingSession.begin(
                "connect",
                this::open,
                Optional.of(new ContactPoints(
                        List.of(ContactPoint.of("127.0.0.1:" + proxy.port()).orElseThrow()), false, SOON)),
                report("The session"),
                PAUSE);
        session = connecting;
        RepeatedStart<String> deferred = new RepeatedStart<>(
                "start", progress -> create(connecting, progress), unwanted -> {}, report("Locks"), PAUSE);
        locks = deferred;
        deferred.begin();
        return deferred;
    }

    private StartReport report(String what) {
        return new StartReport(log, what, failure -> failure.getMessage() + ".");
    }

    private CompletionStage<CqlSession> open() {
        sessions.incrementAndGet();
        return CompletableFuture.completedStage(opened);
    }

    private String create(CqlSession connecting, StartProgress progress) throws InterruptedException {
        tries.incrementAndGet();
        connecting.getMetadata();
        progress.reached(StartStage.CREATION);
        tables.await();
        progress.reached(StartStage.ALGORITHM);
        algorithm.await();
        return "created";
    }

    @AfterEach
    void end() {
        tables.countDown();
        algorithm.countDown();
        if (locks != null) {
            locks.close();
        }
        if (session != null) {
            session.close();
        }
        proxy.close();
    }

    private static String reason(RepeatedStart<String> deferred) {
        return deferred.problem().map(NotStartedException::reason).orElse("");
    }

    private static void awaitReason(RepeatedStart<String> deferred, String text) {
        await().atMost(SOON).untilAsserted(() -> assertThat(reason(deferred)).contains(text));
    }

    @Test
    void eachTryCostsOneConnectionAndNoSessionUntilANodeAnswers() {
        RepeatedStart<String> deferred = start();
        await().atMost(SOON).until(() -> proxy.connections() >= 10);
        awaitReason(deferred, "Cassandra cannot be reached: 127.0.0.1:" + proxy.port());
        assertThat(sessions).hasValue(0);
        assertThat(tries).as("tries to create the algorithm").hasValue(1);
        proxy.answer(Listener.Answer.OF_NODE);
        await().atMost(SOON).until(() -> sessions.get() == 1);
    }

    @Test
    void reasonIsThatOfWhatGoesOnNow() {
        RepeatedStart<String> deferred = start();
        awaitReason(deferred, "Cassandra cannot be reached");
        assertRefused(deferred, "Cassandra cannot be reached");
        proxy.answer(Listener.Answer.OF_NODE);
        awaitReason(deferred, "missing tables are being created");
        assertRefused(deferred, "missing tables are being created");
        tables.countDown();
        awaitReason(deferred, "the algorithm is being created");
        algorithm.countDown();
        await().atMost(SOON).until(() -> deferred.created().isPresent());
        assertThat(reason(deferred)).isEmpty();
    }

    @Test
    void reasonDuringTheFirstTryIsThatOfWhatGoesOnNow() {
        proxy.answer(Listener.Answer.OF_NODE);
        RepeatedStart<String> deferred = start();
        awaitReason(deferred, "missing tables are being created");
        tables.countDown();
        awaitReason(deferred, "the algorithm is being created");
        algorithm.countDown();
        assertThat(deferred.current().toCompletableFuture())
                .succeedsWithin(SOON)
                .isEqualTo("created");
        verify(log, never()).info(anyString(), eq("Locks"), anyString());
    }

    private static void assertRefused(RepeatedStart<String> deferred, String reason) {
        assertThat(deferred.current().toCompletableFuture())
                .failsWithin(SOON)
                .withThrowableOfType(Exception.class)
                .withMessageContaining(reason);
    }

    @Test
    void logHasOneLineForEachChange() {
        start();
        await().atMost(SOON).until(() -> proxy.connections() >= 10);
        proxy.answer(Listener.Answer.OF_NODE);
        verify(log, timeout(SOON.toMillis())).info(eq("{} started after {}"), eq("The session"), anyTime());
        verify(log, timeout(SOON.toMillis())).info("{} not started yet: {}", "Locks", StartStage.CREATION.text());
        tables.countDown();
        verify(log, timeout(SOON.toMillis())).info("{} not started yet: {}", "Locks", StartStage.ALGORITHM.text());
        algorithm.countDown();
        verify(log, timeout(SOON.toMillis())).info(eq("{} started after {}"), eq("Locks"), anyTime());
        verify(log, times(1)).warn(anyString(), eq("The session"), anyString());
        verify(log, never()).warn(anyString(), eq("Locks"), anyString());
    }

    private static Object anyTime() {
        return any();
    }
}

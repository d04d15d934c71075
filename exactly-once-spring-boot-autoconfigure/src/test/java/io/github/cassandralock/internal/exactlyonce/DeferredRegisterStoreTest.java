package io.github.cassandralock.internal.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.internal.startup.StartReport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.helpers.NOPLogger;

@Timeout(60)
class DeferredRegisterStoreTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final CompletableFuture<RegisterStore> opened = new CompletableFuture<>();
    private final CountDownLatch tried = new CountDownLatch(1);
    private final DeferredRegisterStore store = new DeferredRegisterStore(
            progress -> {
                tried.countDown();
                return opened.get();
            },
            new StartReport(NOPLogger.NOP_LOGGER, "The store", String::valueOf),
            Duration.ofSeconds(30));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void requestWaitsForTheFirstTryToOpenTheStore() throws Exception {
        FutureTask<Long> read = reading();
        opened.complete(new InMemoryRegisterStore());
        assertThat(read).succeedsWithin(SOON).isEqualTo(0L);
    }

    @Test
    void reasonBeforeTheFirstTryHasEndedNamesNoStore() throws Exception {
        store.begin();
        tried.await();
        assertThat(store.problem()).contains("The first try to connect has not ended yet.");
    }

    @Test
    void requestFailsAtOnceBetweenTwoTries() throws Exception {
        FutureTask<Long> read = reading();
        opened.completeExceptionally(new IllegalStateException("down"));
        assertThat(read).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(RegisterUnavailableException.class);
        assertThatThrownBy(() -> store.read("r")).isInstanceOf(RegisterUnavailableException.class);
    }

    @Test
    void requestThatWaitsForTheFirstTryEndsWithTheStore() throws Exception {
        FutureTask<Long> read = reading();
        store.close();
        assertThat(read).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(RegisterRefusedException.class);
    }

    /** A read on a thread of its own, which waits. */
    private FutureTask<Long> reading() throws InterruptedException {
        FutureTask<Long> read = new FutureTask<>(() -> store.read("r").getVersion());
        Thread thread = new Thread(read, "reader");
        thread.setDaemon(true);
        thread.start();
        tried.await();
        await().until(() -> read.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        return read;
    }
}

package io.github.cassandralock.internal.locker.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

class CallbackThreadsTest {

    @Test
    void callbackThreadsAreDaemonsAndEndWhenIdle() {
        CallbackThreads threads = CallbackThreads.create();
        for (ExecutorService pool : List.of(threads.callbacks(), threads.losses(), threads.listener())) {
            Thread thread =
                    CompletableFuture.supplyAsync(Thread::currentThread, pool).join();
            assertThat(thread.getName()).startsWith("cassandra-lock-");
            assertThat(thread.isDaemon()).as("daemon").isTrue();
            assertThat(((ThreadPoolExecutor) pool).allowsCoreThreadTimeOut())
                    .as("ends when idle")
                    .isTrue();
        }
        threads.shutdown();
    }

    @Test
    void callbackRunsOnTheCallersThreadIfTheMachineCannotStartAThread() {
        CallbackThreads threads = CallbackThreads.create();
        ((ThreadPoolExecutor) threads.callbacks()).setThreadFactory(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        assertThat(CompletableFuture.supplyAsync(Thread::currentThread, threads.callbacks()))
                .isCompletedWithValue(Thread.currentThread());
        threads.shutdown();
    }

    /** The caller may be a thread of the driver, whose delay costs leases. */
    @Test
    void taskForWhichNoThreadCanBeStartedRunsOnAPresentThread() {
        CallbackThreads threads = CallbackThreads.create();
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Thread> present = CompletableFuture.supplyAsync(
                () -> {
                    end.join();
                    return Thread.currentThread();
                },
                threads.callbacks());
        ((ThreadPoolExecutor) threads.callbacks()).setThreadFactory(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        CompletableFuture<Thread> later = CompletableFuture.supplyAsync(Thread::currentThread, threads.callbacks());
        end.complete(null);
        assertThat(later.join()).isSameAs(present.join());
        threads.shutdown();
    }
}

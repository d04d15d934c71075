package io.github.cassandralock.internal.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MailboxTest {

    private final Mailbox mailbox = new Mailbox();
    private final List<Integer> seen = new ArrayList<>();

    @Test
    void taskThatComesWhileAnotherRunsIsRunAfterIt() {
        mailbox.execute(() -> {
            mailbox.execute(() -> seen.add(2));
            mailbox.execute(() -> {
                seen.add(3);
                mailbox.execute(() -> seen.add(4));
            });
            seen.add(1);
        });
        assertThat(seen).containsExactly(1, 2, 3, 4);
    }

    @Test
    void taskThatFailsDoesNotStopTheNextOnes() {
        mailbox.execute(() -> {
            mailbox.execute(() -> seen.add(1));
            throw new IllegalStateException("on purpose");
        });
        mailbox.execute(() -> seen.add(2));
        assertThat(seen).containsExactly(1, 2);
    }

    /**
     * The list is not thread-safe: it would break if two tasks ran at the same time, or one did not see the other's
     * writes.
     */
    @Test
    void tasksOfManyThreadsExcludeEachOtherAndKeepEachThreadsOrder() throws Exception {
        int threads = 4;
        int tasks = 20_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        for (int thread = 0; thread < threads; thread++) {
            int base = thread * tasks;
            executor.execute(
                    () -> IntStream.range(base, base + tasks).forEach(i -> mailbox.execute(() -> seen.add(i))));
        }
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(seen).hasSize(threads * tasks).doesNotContainNull();
        for (int thread = 0; thread < threads; thread++) {
            int base = thread * tasks;
            assertThat(seen.stream().filter(i -> i >= base && i < base + tasks))
                    .as("tasks of thread %d", thread)
                    .isSorted();
        }
    }
}

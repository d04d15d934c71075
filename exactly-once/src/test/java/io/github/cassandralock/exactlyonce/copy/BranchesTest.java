package io.github.cassandralock.exactlyonce.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of a copy run at the same time, and none is left behind. */
@Timeout(60)
class BranchesTest {

    private final Branches branches = Branches.inThreads(Thread::new);
    private final Queue<String> ended = new ConcurrentLinkedQueue<>();

    private Callable<?> failing(Exception failure) {
        return () -> {
            throw failure;
        };
    }

    private Callable<?> ending(String name) {
        return () -> ended.add(name);
    }

    /** Waits for an interrupt. */
    private Callable<?> waiting(String name) {
        return () -> {
            try {
                new CountDownLatch(1).await();
                return null;
            } finally {
                ended.add(name);
            }
        };
    }

    @Test
    void tasksRunAtTheSameTime() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        Callable<?> task = together::await;
        branches.run(List.of(task, task, task));
        assertThat(together.getNumberWaiting()).isZero();
    }

    @Test
    void firstFailureIsThrownWhenAllTasksHaveEnded() {
        IllegalStateException first = new IllegalStateException("first");
        assertThatThrownBy(() -> branches.run(List.of(
                        ending("a"), failing(first), ending("b"), failing(new IllegalStateException("second")))))
                .isSameAs(first);
        assertThat(ended).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void interruptOfTheCallerEndsAllTasks() throws Exception {
        Callable<?> interrupting = () -> {
            Thread.currentThread().interrupt();
            return waiting("own").call();
        };
        assertThatThrownBy(() -> branches.run(List.of(interrupting, waiting("a"), waiting("b"))))
                .isInstanceOf(InterruptedException.class);
        assertThat(ended).containsExactlyInAnyOrder("own", "a", "b");
    }

    @Test
    void interruptThatTheOwnTaskIgnoresEndsTheOthers() throws Exception {
        Callable<?> ignoring = () -> {
            Thread.currentThread().interrupt();
            return ended.add("own");
        };
        assertThatThrownBy(() -> branches.run(List.of(ignoring, waiting("a"))))
                .isInstanceOf(InterruptedException.class);
        assertThat(ended).containsExactlyInAnyOrder("own", "a");
    }

    @Test
    void threadsEndWhenTheyHaveNothingToDo() throws Exception {
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        Branches recorded = Branches.inThreads(task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            return thread;
        });
        recorded.run(List.of(ending("own"), ending("a"), ending("b")));
        assertThat(threads).isNotEmpty();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void taskThatIgnoresAnInterruptSeesTheNextOne() throws Exception {
        CountDownLatch ignored = new CountDownLatch(1);
        Callable<?> stubborn = () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                ignored.countDown();
            }
            return waiting("stubborn").call();
        };
        Thread caller = new Thread(() -> {
            assertThatThrownBy(() -> branches.run(List.of(ending("own"), stubborn)))
                    .isInstanceOf(InterruptedException.class);
            ended.add("caller");
        });
        caller.start();
        caller.interrupt();
        ignored.await();
        caller.interrupt();
        caller.join();
        assertThat(ended).containsExactly("own", "stubborn", "caller");
    }

    @Test
    void noTaskIsLeftBehindIfAThreadCannotBeHad() {
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        Branches two = Branches.inThreads(task -> {
            if (!threads.isEmpty()) {
                throw new IllegalStateException("no more threads");
            }
            Thread thread = new Thread(task);
            threads.add(thread);
            return thread;
        });
        assertThatThrownBy(() -> two.run(List.of(ending("own"), waiting("a"), waiting("b"))))
                .hasMessage("no more threads");
        assertThat(ended).containsExactly("a");
    }
}

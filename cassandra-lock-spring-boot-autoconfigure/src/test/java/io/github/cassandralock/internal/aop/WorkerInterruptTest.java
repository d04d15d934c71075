package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many calls under one long hold. It fails if each of them leaves a callback, or if one misses the loss. */
class WorkerInterruptTest {

    private final List<Consumer<LockLoss>> callbacks = new ArrayList<>();
    private final RemoteLock lock = mock(RemoteLock.class);
    private final LockOperation taker = mock(LockOperation.class);

    @BeforeEach
    void recordCallbacks() {
        doAnswer(call -> callbacks.add(call.getArgument(0))).when(lock).onLost(any());
    }

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private Holds outer() {
        return new Holds(List.of(Hold.of(mock(RemoteLocker.class), LockRequest.of("k"), lock, taker)), List.of());
    }

    private void lose() {
        LockLoss loss = new LockLoss(LockLoss.Reason.OTHER, "test");
        callbacks.forEach(callback -> callback.accept(loss));
    }

    @Test
    void nestedCallsUnderOneHoldRegisterOneCallback() {
        Holds outer = outer();
        for (int call = 0; call < 100; call++) {
            WorkerInterrupt.whenLost(outer).end();
        }
        verify(lock, times(1)).onLost(any());
        lose();
        assertThat(Thread.currentThread().isInterrupted())
                .as("interrupted after the calls")
                .isFalse();
    }

    @Test
    void laterCallUnderTheHoldIsInterruptedWhenTheLockIsLost() {
        Holds outer = outer();
        WorkerInterrupt.whenLost(outer).end();
        WorkerInterrupt second = WorkerInterrupt.whenLost(outer);
        lose();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        second.end();
        assertThat(Thread.currentThread().isInterrupted()).as("after its end").isFalse();
    }

    @Test
    void callThatBeginsAfterTheLossIsInterruptedAtOnce() {
        Holds outer = outer();
        WorkerInterrupt.whenLost(outer).end();
        lose();
        WorkerInterrupt late = WorkerInterrupt.whenLost(outer);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        late.end();
    }
}

package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CompletableJob;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import org.junit.jupiter.api.Test;

class SuspendedCallTest {

    private final CompletableJob caller = JobKt.Job(null);
    private final SuspendedCall call = SuspendedCall.of(new Object[] {
        new Continuation<Object>() {
            @Override
            public CoroutineContext getContext() {
                return caller;
            }

            @Override
            public void resumeWith(Object result) {}
        }
    });

    private CompletableJob begun() {
        CompletableJob coroutine = JobKt.Job(null);
        call.updateThreadContext(coroutine);
        return coroutine;
    }

    private WeakReference<Job> begunAndEnded() {
        CompletableJob coroutine = begun();
        coroutine.complete();
        return new WeakReference<>(coroutine);
    }

    @Test
    void callEndsWithTheLastOfItsCoroutines() {
        CompletableJob first = begun();
        CompletableJob second = begun();
        var ended = call.ended();
        first.complete();
        assertThat(ended).isNotDone();
        second.complete();
        assertThat(ended).isCompleted();
    }

    /** The caller waits for the end of this call. */
    @Test
    void callDoesNotWaitForTheCoroutineOfItsCaller() {
        call.updateThreadContext(caller);
        assertThat(call.ended()).isCompleted();
    }

    /** A loop under a lock may begin millions of them. */
    @Test
    void coroutinesThatHaveEndedAreForgotten() {
        WeakReference<Job> ended = begunAndEnded();
        await().untilAsserted(() -> {
            System.gc();
            assertThat(ended.get()).isNull();
        });
        assertThat(call.ended()).isCompleted();
    }
}

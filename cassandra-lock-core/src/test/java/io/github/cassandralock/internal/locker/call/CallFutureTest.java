package io.github.cassandralock.internal.locker.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CallFutureTest {

    private final Waits waits =
            new Waits(() -> Optional.of("a thread of the driver"), delay -> new CompletableFuture<>());
    private final CallFuture<String> future = new CallFuture<>("a", waits, null) {
        @Override
        boolean endedByCaller(BooleanSupplier completion) {
            return completion.getAsBoolean();
        }
    };

    private static void isRefused(ThrowingCallable wait) {
        assertThatThrownBy(wait)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lock 'a' is not waited for", "it is a thread of the driver");
    }

    @Test
    void futureThatIsNotDoneIsNotWaitedForOnAThreadOnWhichLocksDepend() {
        isRefused(future::join);
        isRefused(future::get);
        isRefused(() -> future.get(1, TimeUnit.SECONDS));
        future.cancel(false);
        assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
        assertThat(future.answer("late")).isFalse();
    }
}

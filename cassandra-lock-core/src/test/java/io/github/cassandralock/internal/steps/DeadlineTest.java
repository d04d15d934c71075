package io.github.cassandralock.internal.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private final AtomicLong now = new AtomicLong(100);
    private final AtomicReference<Runnable> beforeNextLook = new AtomicReference<>(() -> {});
    private final Deadline deadline = new Deadline(this::nanos, 200);

    private long nanos() {
        long read = now.get();
        beforeNextLook.getAndSet(() -> {}).run();
        return read;
    }

    @Test
    void passesAtItsInstant() {
        assertThat(deadline.hasPassed()).isFalse();
        assertThat(deadline.left()).isEqualTo(100);
        now.set(200);
        assertThat(deadline.hasPassed()).isTrue();
    }

    @Test
    void canBeExtendedUntilItHasPassed() {
        assertThat(deadline.extendTo(300)).isTrue();
        now.set(299);
        assertThat(deadline.hasPassed()).isFalse();
        now.set(300);
        assertThat(deadline.extendTo(400)).isFalse();
        assertThat(deadline.hasPassed()).isTrue();
    }

    @Test
    void isNotShortened() {
        assertThat(deadline.extendTo(150)).isTrue();
        now.set(199);
        assertThat(deadline.hasPassed()).isFalse();
    }

    @Test
    void extensionThatWasDecidedBeforeAThreadSawTheDeadlinePassFails() {
        beforeNextLook.set(() -> {
            now.set(200);
            assertThat(deadline.hasPassed()).as("as another thread sees it").isTrue();
        });
        assertThat(deadline.extendTo(300)).isFalse();
        assertThat(deadline.hasPassed()).isTrue();
    }

    @Test
    void instantsAreComparedCorrectlyWhenTheClockOverflows() {
        now.set(Long.MAX_VALUE - 10);
        Deadline beyond = new Deadline(this::nanos, Long.MIN_VALUE + 89);
        assertThat(beyond.hasPassed()).isFalse();
        now.addAndGet(100);
        assertThat(beyond.hasPassed()).isTrue();
    }
}

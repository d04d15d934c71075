package io.github.cassandralock.internal.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LagSamplerTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final AtomicBoolean isDown = new AtomicBoolean();
    private final AtomicLong nanos = new AtomicLong();

    /** A store in memory that does not answer while it is down. */
    private final RegisterStore store = new RegisterStore() {

        private final RegisterStore answering = new InMemoryRegisterStore();

        private void requireUp() {
            if (isDown.get()) {
                throw new RegisterUnavailableException("down", new IllegalStateException());
            }
        }

        @Override
        public StoredValue read(String name) throws InterruptedException {
            requireUp();
            return answering.read(name);
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            requireUp();
            return answering.compareAndSet(name, expected, value, writeId);
        }
    };

    private final MessageQueue queue = new MessageQueue("in", new Layout.Ring(16), Registers.of(store));

    /** A consumer that stands at the first message. */
    private final Runner runner = runner(Runner.Kind.HANDLER, input -> Optional.of(queue.readLagBehind(0)));

    private Runner runner(Runner.Kind kind, Runner.LagReader lags) {
        return new Runner(kind, "h", List.of("in"), figures -> {
            HandlerDefinition<String> definition = HandlerDefinition.builder(
                            "h",
                            (state, inputs, time) -> HandlerResult.of(state),
                            Registers.of(store),
                            StateCodec.of(Codec.utf8()),
                            () -> "")
                    .input(queue)
                    .build();
            return new Runner.Run(
                    new HandlerCopy(definition, "1", HandlerListener.none(), CopyEnvironment.ofThisMachine()),
                    Map::of,
                    lags);
        });
    }

    @Test
    void storeThatDoesNotAnswerHidesNoLagOfAMethodOfThatName() throws Exception {
        Runner waiting = runner(Runner.Kind.HANDLER, input -> {
            new CountDownLatch(1).await();
            return Optional.empty();
        });
        Runner method = runner(Runner.Kind.METHOD, input -> Optional.of(7L));
        waiting.start();
        method.start();
        LagSampler sampler = new LagSampler(() -> List.of(waiting, method), Duration.ofMillis(5), nanos::get);
        try {
            sampler.start();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(sampler.lag(method, "in")).contains(7L));
            assertThat(sampler.lag(waiting, "in")).isEmpty();
        } finally {
            sampler.stop();
            waiting.stop(Duration.ofSeconds(10));
            method.stop(Duration.ofSeconds(10));
        }
    }

    @Test
    void lagIsUnknownWhenItWasLookedAtTooLongAgo() throws Exception {
        queue.push(new byte[0]);
        runner.start();
        LagSampler sampler = new LagSampler(() -> List.of(runner), Duration.ofMillis(5), nanos::get);
        try {
            assertThat(sampler.lag(runner, "in")).isEmpty();
            sampler.start();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(sampler.lag(runner, "in")).contains(1L));

            isDown.set(true);
            nanos.addAndGet(Duration.ofSeconds(11).toNanos());
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(sampler.lag(runner, "in")).isEmpty());

            isDown.set(false);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(sampler.lag(runner, "in")).contains(1L));
        } finally {
            sampler.stop();
            runner.stop(Duration.ofSeconds(10));
        }
    }
}

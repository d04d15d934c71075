package io.github.cassandralock.sample.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.sample.window.surroundings.Streams;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two copies of the handler in threads, over registers in memory. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class TwoCopiesTest {

    private static final int NUMBERS = 150;
    private static final int THRESHOLD = 100;

    private final ObjectMapper mapper = new ObjectMapper();
    private final Registers registers = Registers.of(new InMemoryRegisterStore());
    private final Queues queues = new Queues(registers, name -> new Layout.Keep());

    /** No number leaves the window, so the numbers in it are all that were ever taken. */
    private final HandlerDefinition<Window> definition = new Averaging()
            .window(
                    new HandlerBuilders(registers, (name, builder) -> {}),
                    queues,
                    new WindowProperties(Duration.ofDays(1), THRESHOLD),
                    mapper);

    private HandlerCopy started(String name) {
        HandlerCopy copy = new HandlerCopy(definition, name, HandlerListener.none(), CopyEnvironment.ofThisMachine());
        copy.start();
        return copy;
    }

    @Test
    void eachNumberIsTakenOnceAndEachStepHasOneOutput() throws InterruptedException {
        HandlerCopy first = started("1");
        HandlerCopy second = started("2");
        push(Streams.FIRST);
        push(Streams.SECOND);
        Json<Average> averages = new Json<>(mapper, Average.class);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            List<Average> outputs = outputs(Averaging.AVERAGES, averages);
            return !outputs.isEmpty() && outputs.get(outputs.size() - 1).numbers() >= 2 * NUMBERS;
        });
        first.close();
        second.close();

        List<Average> outputs = outputs(Averaging.AVERAGES, averages);
        assertThat(outputs)
                .extracting(Average::step)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, outputs.size()).boxed().toList());
        Average last = outputs.get(outputs.size() - 1);
        assertThat(last.numbers()).isEqualTo(2 * NUMBERS);
        assertThat(last.average()).isEqualTo((NUMBERS - 1) / 2.0);
        assertThat(outputs(Averaging.INCREMENTS, new Json<>(mapper, Long.class)))
                .as("the steps with more numbers than the threshold")
                .hasSize((int) last.increments())
                .containsExactlyElementsOf(outputs.stream()
                        .filter(output -> output.numbers() > THRESHOLD)
                        .map(Average::step)
                        .toList());
    }

    private void push(String stream) throws InterruptedException {
        MessageQueue pusher = queues.named(stream);
        for (int number = 0; number < NUMBERS; number++) {
            pusher.push(Integer.toString(number).getBytes(StandardCharsets.UTF_8));
        }
    }

    private <T> List<T> outputs(String name, Json<T> codec) throws InterruptedException {
        MessageQueue queue = queues.named(name);
        List<T> outputs = new ArrayList<>();
        for (long index = 0; queue.read(index) instanceof Cell.Full full; index++) {
            full.message().payloads().forEach(payload -> outputs.add(codec.decode(payload)));
        }
        return outputs;
    }
}

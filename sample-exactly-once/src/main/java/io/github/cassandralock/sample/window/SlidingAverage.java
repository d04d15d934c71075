package io.github.cassandralock.sample.window;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.sample.window.surroundings.Streams;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The function of the handler. What it returns depends on when it runs and on which numbers are there by then, so two
 * copies seldom return the same. The result of one of them counts.
 */
final class SlidingAverage implements ExactlyOnceHandler<Window> {

    private final WindowProperties properties;
    private final Json<Double> numbers;
    private final Json<Long> steps;
    private final Json<Average> averages;

    SlidingAverage(WindowProperties properties, ObjectMapper mapper) {
        this.properties = properties;
        numbers = new Json<>(mapper, Double.class);
        steps = new Json<>(mapper, Long.class);
        averages = new Json<>(mapper, Average.class);
    }

    @Override
    public HandlerResult<Window> handle(Window before, Inputs inputs, Instant time) {
        List<Double> taken = Stream.of(Streams.FIRST, Streams.SECOND)
                .flatMap(stream -> inputs.from(stream, numbers).stream())
                .toList();
        Window slid = before.slide(taken, time, properties.duration());
        return slid.size() > properties.threshold()
                ? withAverage(slid.incremented()).output(Averaging.INCREMENTS, steps, slid.step())
                : withAverage(slid);
    }

    private HandlerResult<Window> withAverage(Window window) {
        Average average = new Average(window.step(), window.average(), window.size(), window.increments());
        return HandlerResult.of(window).output(Averaging.AVERAGES, averages, average);
    }
}

package io.github.cassandralock.it;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.testing.applications.Application;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A handler that counts its inputs, and pushes each one with its number. As a program, until its standard input ends. */
@Configuration(proxyBeanMethods = false)
class Numbering {

    static final String KEYSPACE = "handlers";
    private static final Codec<String> TEXT = Codec.utf8();

    /** @param arguments the application's */
    public static void main(String[] arguments) throws IOException {
        try (Application application =
                Application.run(List.of(Application.Configuration.class, Numbering.class), List.of(arguments))) {
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** @param run the end of all names: names are never used again, and the cluster may be there for longer than a test */
    static String[] arguments(String run) {
        return new String[] {
            "--run=" + run, "--exactly-once.queues.[in-" + run + "].cells=64", "--exactly-once.poll.max-interval=50ms"
        };
    }

    @Bean
    AtomicLong calls() {
        return new AtomicLong();
    }

    @Bean
    HandlerDefinition<String> numbers(
            HandlerBuilders handlers, Queues queues, AtomicLong calls, @Value("${run}") String run) {
        return handlers.named(
                        "numbers-" + run,
                        (count, inputs, time) -> number(calls, count, inputs, run),
                        StateCodec.of(TEXT),
                        () -> "0")
                .input(queues.named("in-" + run))
                .exclusiveOutput(queues.named("out-" + run))
                .maxInputs(3)
                .build();
    }

    private static HandlerResult<String> number(AtomicLong calls, String state, Inputs inputs, String run) {
        calls.incrementAndGet();
        int count = Integer.parseInt(state);
        List<String> outputs = new ArrayList<>();
        for (String input : inputs.from("in-" + run, TEXT)) {
            outputs.add(count++ + " " + input);
        }
        HandlerResult<String> result = HandlerResult.of(Integer.toString(count));
        outputs.forEach(output -> result.output("out-" + run, TEXT, output));
        return result;
    }

    static long callsOf(Application application) {
        return application.context().getBean(AtomicLong.class).get();
    }

    /** All payloads: a message has those of a step. */
    static List<String> outputs(MessageQueue queue) throws InterruptedException {
        List<String> outputs = new ArrayList<>();
        long index = 0;
        while (queue.read(index) instanceof Cell.Full full) {
            full.message().payloads().forEach(payload -> outputs.add(TEXT.decode(payload)));
            index++;
        }
        return outputs;
    }
}

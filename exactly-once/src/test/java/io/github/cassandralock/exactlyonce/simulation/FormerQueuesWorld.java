package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A handler whose input queue is renamed again and again. Each queue has producers with long names. The state has room for those of two
 * queues, so it must forget those of former queues. It counts the messages.
 */
final class FormerQueuesWorld extends World {

    private static final Codec<String> TEXT = Codec.utf8();
    private static final String HANDLER = "h";
    private static final String QUEUE = "in";
    private static final String PUSHER = "push-";
    private static final int QUEUES = 6;
    private static final int PRODUCERS = 4;
    private static final String LONG_NAME = "-of-a-process-with-a-name-as-long-as-those-of-pods".repeat(3);

    /** Positions in all queues, their births, and the producers of two. */
    private static final int MAX_STATE_BYTES = 2_300;

    private final List<String> violations = new ArrayList<>();

    /** The number of the queue that the handler takes. */
    private int present;

    private FormerQueuesWorld(long seed, Function<SplittableRandom, Faults> faultModel) {
        super(seed, faultModel, (register, history) -> {});
        for (int queue = 0; queue < QUEUES; queue++) {
            layouts.put(
                    QUEUE + queue, random.nextInt(3) == 0 ? new Layout.Keep() : new Layout.Ring(2 + random.nextInt(5)));
        }
        pusher();
        role(HANDLER, 1 + random.nextInt(3), true, (threads, copy) -> handler(definition(), threads, copy));
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        FormerQueuesWorld world = new FormerQueuesWorld(seed, faultModel);
        world.runToTheEnd();
        world.checkCount();
        SimulationTotals.add(world);
        return world.violations;
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), what));
    }

    private HandlerDefinition<String> definition() {
        Registers registers = registers();
        return HandlerDefinition.builder(
                        HANDLER,
                        (state, inputs, time) -> HandlerResult.of(counted(state, inputs)),
                        registers,
                        StateCodec.of(TEXT),
                        () -> "0")
                .input(queue(QUEUE + present, registers))
                .maxInputs(1 + random.nextInt(3))
                .maxStateBytes(MAX_STATE_BYTES)
                .idlePauses(PAUSES)
                .failurePauses(PAUSES)
                .build();
    }

    private static String counted(String state, Inputs inputs) {
        return String.valueOf(Long.parseLong(state) + inputs.all().size());
    }

    /** Each of the producers pushes some messages to the present queue. */
    private void pusher() {
        int queue = present;
        int each = 1 + random.nextInt(2);
        thread(PUSHER + queue, 1, false, () -> {
            MessageQueue to = queue(QUEUE + queue, registers());
            for (int sequence = 0; sequence < each; sequence++) {
                for (int producer = 0; producer < PRODUCERS; producer++) {
                    MessageId id = MessageId.of(queue + "-" + producer + LONG_NAME, sequence);
                    NumberedPush.push(to, Message.of(id, TEXT.encode("x")));
                }
            }
        });
    }

    // The renames

    /** Copies that take the former queue may run beside the others. */
    @Override
    protected void midway() {
        present++;
        if (random.nextBoolean()) {
            restart(HANDLER);
        }
        pusher();
    }

    @Override
    protected void beforeOneIsLeft() {
        restart(HANDLER);
    }

    @Override
    protected boolean isDone() {
        if (!haveEnded(PUSHER + present) || !isTaken()) {
            return false;
        }
        if (present == QUEUES - 1) {
            return true;
        }
        present++;
        restart(HANDLER);
        pusher();
        return false;
    }

    private boolean isTaken() {
        return indexes().getOrDefault(QUEUE + present, 0L) == size(present);
    }

    private Map<String, Long> indexes() {
        StoredValue stored = store.present("handler/" + HANDLER + "/state");
        return stored.getVersion() == 0
                ? Map.of()
                : DecodedState.of(HANDLER, stored).indexes();
    }

    private int size(int queue) {
        return contents("queue/" + QUEUE + queue + "/cells/", layoutOf(QUEUE + queue))
                .size();
    }

    @Override
    protected String told() {
        StoredValue stored = store.present("handler/" + HANDLER + "/state");
        return "queue " + present + ", taken " + indexes() + ", state " + stored.getValue().length + " bytes";
    }

    private void checkCount() {
        StoredValue stored = store.present("handler/" + HANDLER + "/state");
        long counted = stored.getVersion() == 0
                ? 0
                : Long.parseLong(DecodedState.of(HANDLER, stored).userState().as(TEXT));
        long taken = indexes().values().stream().mapToLong(index -> index).sum();
        if (counted != taken) {
            violated(counted < taken ? Violation.LOST : Violation.DOUBLE, counted + " of " + taken + " messages");
        }
    }
}

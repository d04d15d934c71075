package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.sink.DecodedSinkRegister;
import io.github.cassandralock.exactlyonce.sink.EffectFunction;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * The state of a handler is restored together with its input queue, and the register of its effects is not. The handler either ends,
 * since the register shows that; or each message that the queue has now had an effect.
 */
final class RestoredStateWorld extends World {

    private static final Codec<String> TEXT = Codec.utf8();
    private static final String HANDLER = "clerk";
    private static final String QUEUE = "requests";
    private static final String SINK = "accounts";
    private static final String KEY = "x";
    private static final String PUSHER = "push-";
    private static final String[] RESTORED = {"handler/" + HANDLER + "/", "queue/" + QUEUE + "/"};

    private final List<String> violations = new ArrayList<>();
    private Map<String, List<StoredValue>> backup = Map.of();
    private boolean isRestored;
    private boolean hasEnded;
    private int pushers;

    private RestoredStateWorld(long seed, Function<SplittableRandom, Faults> faultModel) {
        super(seed, faultModel, (register, history) -> {});
        layouts.put(QUEUE, random.nextInt(3) == 0 ? new Layout.Keep() : new Layout.Ring(2 + random.nextInt(5)));
        thread("clock", 1, true, this::backUp);
        pusher();
        role(HANDLER, 1 + random.nextInt(2), true, (threads, copy) -> handler(definition(), threads, copy));
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        RestoredStateWorld world = new RestoredStateWorld(seed, faultModel);
        world.runToTheEnd();
        world.checkRequests();
        SimulationTotals.add(world);
        return world.violations;
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), what));
    }

    @Override
    protected void failed(String who, Throwable cause) {
        if (isRestored && who.equals(HANDLER) && isOfRestoredState(cause)) {
            hasEnded = true;
        } else {
            super.failed(who, cause);
        }
    }

    private static boolean isOfRestoredState(Throwable cause) {
        return cause instanceof MismatchedStoresException
                || String.valueOf(cause.getMessage()).contains("restored from a backup");
    }

    private void backUp() throws InterruptedException {
        while (true) {
            scheduler.pause(20);
            if (!isRestored && random.nextInt(4) == 0) {
                backup = store.backup(RESTORED);
            }
        }
    }

    private void pusher() {
        String name = "p" + pushers++;
        int count = 2 + random.nextInt(6);
        thread(PUSHER + name, 1, false, () -> {
            MessageQueue requests = queue(QUEUE, registers());
            for (int i = pushedBy(name); i < count; i++) {
                NumberedPush.push(requests, Message.of(MessageId.of(name, i), TEXT.encode(name + "-" + i)));
            }
        });
    }

    /** A producer begins again behind its last message. */
    private int pushedBy(String name) {
        return (int) requests().values().stream()
                .filter(message -> message.id().producer().equals(name))
                .count();
    }

    /** Each message has an effect. */
    private static final class Clerk implements ExactlyOnceHandler<String> {

        @Override
        public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
            return HandlerResult.of("")
                    .effect(SINK, KEY, Bytes.of(TEXT, inputs.from(QUEUE, TEXT).get(0)));
        }

        @Override
        public HandlerResult<String> afterEffect(String state, Bytes request, Bytes result, Instant time) {
            return HandlerResult.of("");
        }
    }

    /** The content is the list of all requests. */
    private static EffectFunction.Change appended(Optional<Bytes> content, Bytes request) {
        String before = content.map(bytes -> bytes.as(TEXT) + " ").orElse("");
        return new EffectFunction.Change(Bytes.of(TEXT, before + request.as(TEXT)), Bytes.none());
    }

    private HandlerDefinition<String> definition() {
        Registers registers = registers();
        return HandlerDefinition.builder(HANDLER, new Clerk(), registers, StateCodec.of(TEXT), () -> "")
                .input(queue(QUEUE, registers))
                .effects(new RegisterSink(SINK, registers, RestoredStateWorld::appended))
                .idlePauses(PAUSES)
                .failurePauses(PAUSES)
                .build();
    }

    /** The producers push again, in any order, what the restored queue does not have. */
    @Override
    protected void midway() {
        if (backup.isEmpty()) {
            return;
        }
        isRestored = true;
        store.restore(backup, RESTORED);
        restart(HANDLER);
        restart(PUSHER + "p0");
        pusher();
    }

    private boolean hasTakenAll() {
        StoredValue stored = store.present("handler/" + HANDLER + "/state");
        if (stored.getVersion() == 0) {
            return false;
        }
        DecodedState state = DecodedState.of(HANDLER, stored);
        return state.handling()
                && state.indexes().getOrDefault(QUEUE, -1L) == requests().size();
    }

    private SortedMap<Long, Message> requests() {
        return contents("queue/" + QUEUE + "/cells/", layoutOf(QUEUE));
    }

    @Override
    protected boolean isDone() {
        return hasEnded || (haveEnded(PUSHER) && hasTakenAll());
    }

    @Override
    protected String told() {
        return "restored " + isRestored + ", requests " + requests().size() + ", effects " + effects();
    }

    private Set<String> effects() {
        return DecodedSinkRegister.content(store.present("sink/" + SINK + "/" + KEY))
                .map(content -> Set.copyOf(List.of(content.as(TEXT).split(" "))))
                .orElse(Set.of());
    }

    private void checkRequests() {
        List<String> requests = requests().values().stream()
                .map(message -> TEXT.decode(message.payloads().get(0)))
                .toList();
        if (!hasEnded && !effects().containsAll(requests)) {
            violated(Violation.LOST, "effects " + effects() + " of " + requests);
        }
    }
}

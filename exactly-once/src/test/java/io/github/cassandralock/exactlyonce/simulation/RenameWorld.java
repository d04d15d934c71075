package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.DecodedCell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.PumpListener;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A chain through all parts, in the middle of which something is renamed, lost, or restored:
 *
 * <pre>
 * people → orders → bank (transaction, outbox) → pump → receipts → clerk (handler) → archived → archive (transaction)
 * </pre>
 *
 * A part either says that it does not belong to its counterpart, and ends; or it goes on, and then nothing is lost and nothing twice.
 */
final class RenameWorld extends World {

    /** What is changed, and which parts may say so. */
    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable set
    private enum Change {
        NOTHING(),
        QUEUE_OF_SINK_IS_RENAMED("bank"),
        REGISTERS_BEGIN_AFRESH("bank", "pump", "clerk", "archive"),
        ROW_OF_SINK_IS_LOST("bank", "pump"),
        ROW_OF_SINK_IS_RESTORED("bank", "pump"),
        TARGET_OF_PUMP_IS_RENAMED("pump"),
        PUMP_IS_RENAMED("pump"),
        STATE_IS_LOST("clerk"),
        OUTPUT_BEGINS_AFRESH("clerk"),
        OUTPUT_IS_REMOVED(),
        ALL_IS_RENAMED();

        final Set<String> told;

        Change(String... told) {
            this.told = Set.of(told);
        }
    }

    /** How copies that are made now are configured. */
    private record Names(
            String keyspace,
            String statesKeyspace,
            String outputKeyspace,
            String orders,
            String bank,
            String pump,
            String receipts,
            String clerk,
            String archived,
            String archive,
            boolean outputs) {

        MessageQueueName queue(String name) {
            return new MessageQueueName(name.equals(archived) ? outputKeyspace : keyspace, name);
        }
    }

    private record MessageQueueName(String keyspace, String name) {

        String cells() {
            return keyspace + "queue/" + name + "/cells/";
        }
    }

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(2));
    private static final Codec<String> TEXT = Codec.utf8();

    private static final List<String> PARTS = List.of("bank", "pump", "clerk", "archive");

    /** So long has everything been done before an output is removed. */
    private static final long LONG_AT_REST = 2_000;

    private final Change change;
    private final boolean soleOutput;
    private final Map<String, Layout> layouts = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<String> told = new HashSet<>();
    private SimulatedSink bank;
    private SimulatedOutbox outbox;
    private SimulatedSink archive;
    private Names names =
            new Names("", "", "", "orders", "bank", "pump", "receipts", "clerk", "archived", "archive", true);
    private boolean changed;
    private long doneSince = -1;
    private int pushers;
    private int nonces;

    private RenameWorld(long seed, Function<SplittableRandom, Faults> faultModel) {
        super(seed, faultModel, (register, history) -> {});
        change = Change.values()[random.nextInt(Change.values().length)];
        soleOutput = change == Change.OUTPUT_IS_REMOVED || random.nextBoolean();
        newBank();
        archive = sink(message -> {});
        role("clock", 1, true, (threads, copy) -> running(threads.newThread(this::passTime)));
        pusher();
        role("bank", 1 + random.nextInt(2), true, (threads, copy) -> {
            Names now = names;
            return running(new SinkCopy(
                    now.bank(),
                    queue(now.queue(now.orders())),
                    bank,
                    PAUSES,
                    "" + copy,
                    sinkListener("bank"),
                    environment(threads)));
        });
        role("pump", 1 + random.nextInt(2), true, (threads, copy) -> {
            Names now = names;
            return running(new OutboxPump(
                    now.pump(),
                    outbox,
                    queue(now.queue(now.receipts())),
                    PAUSES,
                    "" + copy,
                    new PumpListener() {
                        @Override
                        public void failed(String pump, Throwable cause) {
                            ended("pump", cause);
                        }
                    },
                    environment(threads)));
        });
        role(
                "clerk",
                1 + random.nextInt(2),
                true,
                (threads, copy) ->
                        running(new HandlerCopy(clerk(names), "" + copy, handlerListener(), environment(threads))));
        role("archive", 1 + random.nextInt(2), true, (threads, copy) -> {
            Names now = names;
            return running(new SinkCopy(
                    now.archive(),
                    queue(now.queue(now.archived())),
                    archive,
                    PAUSES,
                    "" + copy,
                    sinkListener("archive"),
                    environment(threads)));
        });
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        RenameWorld world = new RenameWorld(seed, faultModel);
        world.runToTheEnd();
        world.check();
        SimulationTotals.add(world);
        return world.violations;
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), change + ": " + what));
    }

    private void ended(String role, Throwable cause) {
        if (changed && cause instanceof MismatchedStoresException && change.told.contains(role)) {
            told.add(role);
        } else {
            failed(role, cause);
        }
    }

    // Parts

    private SimulatedSink sink(java.util.function.Consumer<Message> effect) {
        return new SimulatedSink(scheduler, random, this::faults, effect);
    }

    /** Each row is another one, also if its message is taken again. */
    private void newBank() {
        SimulatedOutbox rows = new SimulatedOutbox(scheduler, random, this::faults, () -> bank.index() >= 0);
        bank = sink(message -> rows.add(Message.of(message.id(), TEXT.encode(message.id() + " " + nonces++))));
        outbox = rows;
    }

    /** A queue that keeps no message that was taken cannot show that its rows were others. */
    private Layout layout(MessageQueueName queue) {
        boolean ring = change == Change.ROW_OF_SINK_IS_RESTORED || random.nextInt(3) > 0;
        return layouts.computeIfAbsent(
                queue.cells(), name -> ring ? new Layout.Ring(2 + random.nextInt(5)) : new Layout.Keep());
    }

    private Registers registers(String keyspace) {
        Registers registers = registers();
        return new Registers(
                new PrefixedStore(keyspace, registers.store()),
                registers.writeIds(),
                registers.pauser(),
                registers.pauses());
    }

    private MessageQueue queue(MessageQueueName queue) {
        return new MessageQueue(queue.name(), layout(queue), registers(queue.keyspace()));
    }

    private static Running running(Copy copy) {
        return new Running() {
            @Override
            public void start() {
                copy.start();
            }

            @Override
            public void close() {
                try {
                    copy.close(Duration.ZERO);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    private static Running running(Thread thread) {
        return new Running() {
            @Override
            public void start() {
                thread.start();
            }

            @Override
            public void close() {
                thread.interrupt();
            }
        };
    }

    /** Also when all parts have ended. */
    private void passTime() {
        try {
            while (true) {
                scheduler.pause(20);
            }
        } catch (Scheduler.Crash | InterruptedException e) {
            // The world is over, or the next one goes on.
        }
    }

    private void pusher() {
        String name = "p" + pushers++;
        int count = 2 + random.nextInt(6);
        MessageQueueName to = names.queue(names.orders());
        role("push-" + name, 1, false, (threads, copy) -> {
            MessageQueue orders = queue(to);
            return running(threads.newThread(() -> push(orders, name, count)));
        });
    }

    private static void push(MessageQueue orders, String name, int count) {
        try {
            for (int i = 0; i < count; i++) {
                NumberedPush.push(orders, Message.of(MessageId.of(name, i), TEXT.encode(name + i)));
            }
        } catch (Scheduler.Crash | InterruptedException e) {
            // It does not push the rest.
        }
    }

    private HandlerDefinition<String> clerk(Names now) {
        HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                        now.clerk(),
                        (state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            if (now.outputs()) {
                                inputs.from(now.receipts(), TEXT)
                                        .forEach(payload -> result.output(now.archived(), TEXT, payload));
                            }
                            return result;
                        },
                        registers(now.statesKeyspace()),
                        StateCodec.of(TEXT),
                        () -> "")
                .input(queue(now.queue(now.receipts())))
                .idlePauses(PAUSES)
                .failurePauses(PAUSES);
        if (now.outputs() && soleOutput) {
            definition.exclusiveOutput(queue(now.queue(now.archived())));
        } else if (now.outputs()) {
            definition.output(queue(now.queue(now.archived())));
        }
        return definition.build();
    }

    private SinkListener sinkListener(String role) {
        return new SinkListener() {
            @Override
            public void failed(String sink, Throwable cause) {
                ended(role, cause);
            }

            @Override
            public void sequenceViolated(String sink, SequenceViolation violation) {
                violated(Violation.SEQUENCE, sink + ": " + violation);
            }
        };
    }

    private HandlerListener handlerListener() {
        return new HandlerListener() {
            @Override
            public void failed(String handler, Throwable cause) {
                ended("clerk", cause);
            }

            @Override
            public void sequenceViolated(String handler, SequenceViolation violation) {
                violated(Violation.SEQUENCE, handler + ": " + violation);
            }
        };
    }

    // The change

    @Override
    protected void midway() {
        if (change == Change.OUTPUT_IS_REMOVED) {
            return;
        }
        changed = true;
        names = names(change);
        if (change == Change.ROW_OF_SINK_IS_RESTORED) {
            restoreBank();
        } else if (change == Change.ROW_OF_SINK_IS_LOST || change == Change.ALL_IS_RENAMED) {
            newBank();
        }
        if (change == Change.OUTPUT_BEGINS_AFRESH || change == Change.ALL_IS_RENAMED) {
            archive = sink(message -> {});
        }
        if (isRolledOut()) {
            PARTS.stream().filter(part -> random.nextBoolean()).forEach(this::restart);
        } else {
            PARTS.forEach(this::restart);
        }
        pusher();
    }

    /** Whether copies that are configured in the old way go on beside new ones for a while. */
    private boolean isRolledOut() {
        return switch (change) {
            case ROW_OF_SINK_IS_RESTORED, ROW_OF_SINK_IS_LOST, OUTPUT_BEGINS_AFRESH, ALL_IS_RENAMED -> false;
            default -> true;
        };
    }

    @Override
    protected void beforeOneIsLeft() {
        if (changed) {
            PARTS.forEach(this::restart);
        }
    }

    private Names names(Change change) {
        Names now = names;
        String k = now.keyspace();
        return switch (change) {
            case QUEUE_OF_SINK_IS_RENAMED -> with(k, now.statesKeyspace(), k, "orders-2", now.pump(), now.receipts());
            case REGISTERS_BEGIN_AFRESH -> with("k2/", "", "k2/", now.orders(), now.pump(), now.receipts());
            case TARGET_OF_PUMP_IS_RENAMED -> with(k, "", k, now.orders(), now.pump(), "receipts-2");
            case PUMP_IS_RENAMED -> with(k, "", k, now.orders(), "pump-2", now.receipts());
            case STATE_IS_LOST -> with(k, "s2/", k, now.orders(), now.pump(), now.receipts());
            case OUTPUT_BEGINS_AFRESH ->
                new Names(
                        k,
                        "",
                        "k2/",
                        now.orders(),
                        now.bank(),
                        now.pump(),
                        now.receipts(),
                        now.clerk(),
                        now.archived(),
                        "archive-2",
                        true);
            case ALL_IS_RENAMED ->
                new Names(
                        k,
                        "",
                        k,
                        "orders-2",
                        "bank-2",
                        "pump-2",
                        "receipts-2",
                        "clerk-2",
                        "archived-2",
                        "archive-2",
                        true);
            default -> now;
        };
    }

    private Names with(String keyspace, String states, String output, String orders, String pump, String receipts) {
        return new Names(
                keyspace,
                states,
                output,
                orders,
                names.bank(),
                pump,
                receipts,
                names.clerk(),
                names.archived(),
                names.archive(),
                names.outputs());
    }

    private void restoreBank() {
        int before = bank.taken.size();
        bank.forget(1 + random.nextInt(3));
        outbox.forgetFrom(outbox.size() - (before - bank.taken.size()));
    }

    // The end

    /** Index → message, of all that was ever there. */
    private SortedMap<Long, Message> contents(MessageQueueName queue) {
        Layout layout = layout(queue);
        SortedMap<Long, Message> contents = new TreeMap<>();
        for (Map.Entry<String, List<StoredValue>> register : store.registers().entrySet()) {
            if (register.getKey().startsWith(queue.cells())) {
                long cell =
                        Long.parseLong(register.getKey().substring(queue.cells().length()));
                for (StoredValue version : register.getValue()) {
                    if (version.version() > 0) {
                        DecodedCell.message(version)
                                .ifPresent(message -> contents.put(layout.indexIn(cell, version.version()), message));
                    }
                }
            }
        }
        return contents;
    }

    private SortedMap<Long, Message> now(String queue) {
        return contents(names.queue(queue));
    }

    /** A part that has ended holds the ring full for the part before it. */
    private boolean isThrough(boolean through, String... roles) {
        return through || List.of(roles).stream().anyMatch(told::contains);
    }

    private boolean hasClerkTakenAll() {
        List<StoredValue> history = store.history(names.statesKeyspace() + "handler/" + names.clerk() + "/state");
        if (history.size() < 2) {
            return false;
        }
        DecodedState state = DecodedState.of(names.clerk(), history.get(history.size() - 1));
        return state.handling()
                && state.indexes().getOrDefault(names.receipts(), -1L)
                        == now(names.receipts()).size()
                && (!names.outputs()
                        || state.sequences().getOrDefault(names.archived(), 0L)
                                == now(names.archived()).size());
    }

    private boolean isAllThrough() {
        return isThrough(haveEnded(change == Change.ALL_IS_RENAMED ? "push-p" + (pushers - 1) : "push-"), "bank")
                && isThrough(bank.index() == now(names.orders()).size(), "bank")
                && isThrough(outbox.size() == now(names.receipts()).size(), "pump", "clerk")
                && isThrough(hasClerkTakenAll(), "clerk", "archive")
                && isThrough(archive.index() == now(names.archived()).size(), "archive");
    }

    @Override
    protected boolean isDone() {
        if (change != Change.OUTPUT_IS_REMOVED || changed) {
            return isAllThrough();
        }
        if (!isAllThrough()) {
            doneSince = -1;
        } else if (doneSince < 0) {
            doneSince = scheduler.step();
        } else if (scheduler.step() > doneSince + LONG_AT_REST) {
            changed = true;
            names = new Names(
                    "",
                    "",
                    "",
                    names.orders(),
                    names.bank(),
                    names.pump(),
                    names.receipts(),
                    names.clerk(),
                    names.archived(),
                    names.archive(),
                    false);
            restart("clerk");
            pusher();
        }
        return false;
    }

    @Override
    protected String told() {
        return "told " + told + ", bank " + bank.index() + " of "
                + now(names.orders()).size() + ", outbox "
                + outbox.size() + ", receipts " + now(names.receipts()).size() + ", clerk " + hasClerkTakenAll()
                + ", archive " + archive.index() + " of "
                + now(names.archived()).size();
    }

    private void check() {
        if (!told.contains("bank")) {
            checkTaken("bank", bank, now(names.orders()));
        }
        if (!told.contains("archive")) {
            checkTaken("archive", archive, now(names.archived()));
        }
        if (!told.contains("pump") && !told.contains("bank")) {
            checkRows();
        }
        checkTwice(names.queue(names.receipts()), new MessageQueueName("", "receipts"));
        if (!told.contains("clerk") && !told.contains("archive") && names.outputs()) {
            checkOutputs();
        }
    }

    private void checkTaken(String role, SimulatedSink sink, SortedMap<Long, Message> there) {
        List<MessageId> taken = sink.taken.stream().map(Message::id).toList();
        if (new HashSet<>(taken).size() < taken.size()) {
            violated(Violation.DOUBLE, "effects of " + role + ": " + taken);
        }
        there.tailMap(sink.firstIndex()).values().stream()
                .map(Message::id)
                .filter(id -> !taken.contains(id))
                .findFirst()
                .ifPresent(id -> violated(Violation.LOST, id + " has no effect in " + role));
    }

    private void checkRows() {
        SortedMap<Long, Message> receipts = now(names.receipts());
        for (int row = 0; row < outbox.size(); row++) {
            Message pushed = receipts.get((long) row);
            boolean waits = pushed == null && told.contains("clerk");
            if (!waits
                    && (pushed == null
                            || !text(pushed).equals(text(outbox.rows().get(row))))) {
                violated(Violation.LOST, "row " + row + " is not in its queue, which has " + pushed);
            }
        }
    }

    private void checkTwice(MessageQueueName now, MessageQueueName before) {
        if (now.equals(before)) {
            return;
        }
        Set<String> pushed = new HashSet<>();
        contents(before).values().forEach(message -> pushed.add(text(message)));
        contents(now).values().stream()
                .filter(message -> pushed.contains(text(message)))
                .findFirst()
                .ifPresent(message -> violated(Violation.DOUBLE, text(message) + " is in two queues"));
    }

    private void checkOutputs() {
        Set<String> outputs = new HashSet<>();
        now(names.archived()).values().forEach(message -> outputs.add(text(message)));
        contents(new MessageQueueName("", "archived")).values().forEach(message -> outputs.add(text(message)));
        now(names.receipts()).values().stream()
                .filter(message -> !outputs.contains(text(message)))
                .findFirst()
                .ifPresent(message -> violated(Violation.LOST, "no output for " + text(message)));
    }

    private static String text(Message message) {
        return TEXT.decode(message.payloads().get(0));
    }
}

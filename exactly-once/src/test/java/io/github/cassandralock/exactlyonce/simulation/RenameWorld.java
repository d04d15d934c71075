package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.queue.UnknownConsumerException;
import io.github.cassandralock.exactlyonce.register.ForgottenWriteException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
        ALL_IS_RENAMED(),
        ROWS_ARE_RESTORED_BENEATH_COPIES("bank", "pump"),
        QUEUE_IS_EMPTIED_BENEATH_COPIES("bank"),
        SOLE_OUTPUT_IS_ANOTHERS(),
        SOLE_OUTPUT_IS_SHARED(),
        STATE_IS_RESTORED_WITH_ITS_INPUT("pump", "clerk");

        static final List<Change> BENEATH = List.of(
                ROWS_ARE_RESTORED_BENEATH_COPIES,
                QUEUE_IS_EMPTIED_BENEATH_COPIES,
                SOLE_OUTPUT_IS_ANOTHERS,
                SOLE_OUTPUT_IS_SHARED,
                STATE_IS_RESTORED_WITH_ITS_INPUT);

        static final List<Change> OTHERS =
                Stream.of(values()).filter(change -> !BENEATH.contains(change)).toList();

        final Set<String> told;

        Change(String... told) {
            this.told = Set.of(told);
        }

        boolean isOfSoleOutput() {
            return this == SOLE_OUTPUT_IS_ANOTHERS || this == SOLE_OUTPUT_IS_SHARED;
        }

        /** Whether it happens once everything has been done for long. */
        boolean isAtRest() {
            return this == OUTPUT_IS_REMOVED
                    || this == ROWS_ARE_RESTORED_BENEATH_COPIES
                    || this == QUEUE_IS_EMPTIED_BENEATH_COPIES;
        }
    }

    /**
     * How copies that are made now are configured.
     *
     * @param renamed the parts and queues that have their second name
     */
    private record Names(
            String keyspace, String statesKeyspace, String outputKeyspace, Set<String> renamed, boolean outputs) {

        static final Names FIRST = new Names("", "", "", Set.of(), true);
        private static final String SECOND = "-2";

        String of(String part) {
            return renamed.contains(part) ? part + SECOND : part;
        }

        MessageQueueName queue(String name) {
            return new MessageQueueName(name.equals("archived") ? outputKeyspace : keyspace, of(name));
        }

        Names renaming(String... parts) {
            return new Names(keyspace, statesKeyspace, outputKeyspace, Set.of(parts), outputs);
        }

        static String partOf(String name) {
            return name.endsWith(SECOND) ? name.substring(0, name.length() - SECOND.length()) : name;
        }
    }

    private record MessageQueueName(String keyspace, String name) {

        String cells() {
            return keyspace + "queue/" + name + "/cells/";
        }
    }

    private static final Codec<String> TEXT = Codec.utf8();

    private static final List<String> PARTS = List.of("bank", "pump", "clerk", "archive");

    /** So long has everything been done before a change at rest, and nothing is pushed after it. */
    private static final long LONG_AT_REST = 3_000;

    private static final String[] STATE_AND_INPUT = {"handler/clerk/", "queue/receipts/"};

    private final Change change;
    private final boolean soleOutput;
    private final List<String> violations = new ArrayList<>();
    private final Set<String> told = new HashSet<>();
    private SimulatedSink bank;
    private SimulatedOutbox outbox;
    private SimulatedSink archive;
    private Names names = Names.FIRST;
    private boolean changed;

    /** Whether other producers push to the output. */
    private boolean outputIsShared;

    /** Whether copies that are configured in the old way may run. */
    private boolean isBeingRolledOut;

    /** Whether nobody takes from the first queue of orders: the bank had not begun with it, or is another now. */
    private boolean firstOrdersAreLeft;

    private long doneSince = -1;
    private int pushers;
    private int nonces;
    private Map<String, List<StoredValue>> backup = Map.of();

    private RenameWorld(long seed, Function<SplittableRandom, Faults> faultModel, List<Change> changes) {
        super(seed, faultModel, (register, history) -> {});
        change = changes.get(random.nextInt(changes.size()));
        soleOutput = change == Change.OUTPUT_IS_REMOVED || change.isOfSoleOutput() || random.nextBoolean();
        outputIsShared = !soleOutput && change == Change.STATE_IS_RESTORED_WITH_ITS_INPUT && random.nextInt(4) > 0;
        newBank();
        archive = sink(message -> {});
        thread("clock", 1, true, this::passTime);
        pusher(0);
        if (outputIsShared) {
            pusherToOutput();
        }
        sinkRole("bank", "orders", () -> bank);
        role("pump", 1 + random.nextInt(2), true, (threads, copy) -> {
            MessageQueue receipts = queue(names.queue("receipts"));
            return pump(names.of("pump"), outbox, receipts, threads, copy);
        });
        role("clerk", 1 + random.nextInt(2), true, (threads, copy) -> handler(clerk(names), threads, copy));
        sinkRole("archive", "archived", () -> archive);
    }

    private void sinkRole(String name, String queue, Supplier<SimulatedSink> sink) {
        role(
                name,
                1 + random.nextInt(2),
                true,
                (threads, copy) -> sink(names.of(name), queue(names.queue(queue)), sink.get(), threads, copy));
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        return run(new RenameWorld(seed, faultModel, Change.OTHERS));
    }

    /** What is restored or emptied is beneath copies that go on, or a handler gets the exclusive output of another. */
    static List<String> runBeneath(long seed, Function<SplittableRandom, Faults> faultModel) {
        return run(new RenameWorld(seed, faultModel, Change.BENEATH));
    }

    private static List<String> run(RenameWorld world) {
        world.runToTheEnd();
        world.check();
        SimulationTotals.add(world);
        return world.violations;
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), change + ": " + what));
    }

    @Override
    protected void failed(String who, Throwable cause) {
        String part = Names.partOf(who);
        if (changed && isOfStores(cause) && change.told.contains(part)) {
            told.add(part);
        } else if (!(cause instanceof TwoProducersException && mayHaveTwoProducers(part))) {
            super.failed(who, cause);
        }
    }

    private boolean mayHaveTwoProducers(String part) {
        return names.renamed().contains(part)
                || (change == Change.SOLE_OUTPUT_IS_SHARED && isBeingRolledOut && part.equals("clerk"));
    }

    private boolean isOfStores(Throwable cause) {
        return cause instanceof MismatchedStoresException
                || (change.isAtRest()
                        && (cause instanceof UnknownConsumerException || cause instanceof ForgottenWriteException));
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
        boolean ring = change == Change.ROW_OF_SINK_IS_RESTORED
                || change == Change.ROWS_ARE_RESTORED_BENEATH_COPIES
                || random.nextInt(3) > 0;
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

    /** Also when all parts have ended. */
    private void passTime() throws InterruptedException {
        while (true) {
            scheduler.pause(20);
            if (backup.isEmpty() && random.nextInt(16) == 0) {
                backup = store.backup(STATE_AND_INPUT);
            }
        }
    }

    /** @param begins the step at which it pushes the first message */
    private void pusher(long begins) {
        String name = "p" + pushers++;
        int count = 2 + random.nextInt(6);
        MessageQueue orders = queue(names.queue("orders"));
        thread("push-" + name, 1, false, () -> {
            while (scheduler.step() < begins) {
                scheduler.pause(100);
            }
            for (int i = 0; i < count; i++) {
                NumberedPush.push(orders, Message.of(MessageId.of(name, i), TEXT.encode(name + i)));
            }
        });
    }

    /** Pushes to the output of the clerk from time to time. */
    private void pusherToOutput() {
        int count = 2 + random.nextInt(10);
        MessageQueue archived = queue(names.queue("archived"));
        thread("push-to-output", 1, false, () -> {
            for (int i = 0; i < count; i++) {
                scheduler.pause(200);
                NumberedPush.push(archived, Message.of(MessageId.of("other", i), TEXT.encode("other" + i)));
            }
        });
    }

    private HandlerDefinition<String> clerk(Names now) {
        String receipts = now.of("receipts");
        String archived = now.of("archived");
        HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                        now.of("clerk"),
                        (state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            if (now.outputs()) {
                                inputs.from(receipts, TEXT).forEach(payload -> result.output(archived, TEXT, payload));
                            }
                            return result;
                        },
                        registers(now.statesKeyspace()),
                        StateCodec.of(TEXT),
                        () -> "")
                .input(queue(now.queue("receipts")))
                .idlePauses(PAUSES)
                .failurePauses(PAUSES);
        if (now.outputs() && soleOutput && !outputIsShared) {
            definition.exclusiveOutput(queue(now.queue("archived")));
        } else if (now.outputs()) {
            definition.output(queue(now.queue("archived")));
        }
        return definition.build();
    }

    // The change

    @Override
    protected void midway() {
        if (change.isAtRest()
                || (change == Change.SOLE_OUTPUT_IS_ANOTHERS && now("archived").isEmpty())) {
            return;
        }
        changed = true;
        names = changedNames();
        if (change == Change.STATE_IS_RESTORED_WITH_ITS_INPUT) {
            store.restore(backup, STATE_AND_INPUT);
        } else if (change == Change.ROW_OF_SINK_IS_RESTORED) {
            restoreBank();
        } else if (change == Change.ROW_OF_SINK_IS_LOST || change == Change.ALL_IS_RENAMED) {
            newBank();
        }
        if (change == Change.SOLE_OUTPUT_IS_SHARED) {
            outputIsShared = true;
            isBeingRolledOut = true;
            pusherToOutput();
        }
        firstOrdersAreLeft = bank.index() < 0 && !names.queue("orders").equals(Names.FIRST.queue("orders"));
        if (change == Change.OUTPUT_BEGINS_AFRESH || change == Change.ALL_IS_RENAMED) {
            archive = sink(message -> {});
        }
        if (isRolledOut()) {
            PARTS.stream().filter(part -> random.nextBoolean()).forEach(this::restart);
        } else {
            PARTS.forEach(this::restart);
        }
        pusher(0);
    }

    /** Whether copies that are configured in the old way go on beside new ones for a while. */
    private boolean isRolledOut() {
        return switch (change) {
            case ROW_OF_SINK_IS_RESTORED,
                    ROW_OF_SINK_IS_LOST,
                    OUTPUT_BEGINS_AFRESH,
                    ALL_IS_RENAMED,
                    SOLE_OUTPUT_IS_ANOTHERS,
                    STATE_IS_RESTORED_WITH_ITS_INPUT -> false;
            default -> true;
        };
    }

    @Override
    protected void beforeOneIsLeft() {
        isBeingRolledOut = false;
        if (changed) {
            names = change == Change.SOLE_OUTPUT_IS_ANOTHERS ? Names.FIRST : names; // the mistake was seen
            PARTS.forEach(this::restart);
        }
    }

    private Names changedNames() {
        return switch (change) {
            case QUEUE_OF_SINK_IS_RENAMED -> Names.FIRST.renaming("orders");
            case REGISTERS_BEGIN_AFRESH -> new Names("k2/", "", "k2/", Set.of(), true);
            case TARGET_OF_PUMP_IS_RENAMED -> Names.FIRST.renaming("receipts");
            case PUMP_IS_RENAMED -> Names.FIRST.renaming("pump");
            case STATE_IS_LOST -> new Names("", "s2/", "", Set.of(), true);
            case OUTPUT_BEGINS_AFRESH -> new Names("", "", "k2/", Set.of("archive"), true);
            case OUTPUT_IS_REMOVED -> new Names("", "", "", Set.of(), false);
            case ALL_IS_RENAMED ->
                Names.FIRST.renaming("orders", "bank", "pump", "receipts", "clerk", "archived", "archive");
            case SOLE_OUTPUT_IS_ANOTHERS -> Names.FIRST.renaming("clerk");
            case NOTHING,
                    ROW_OF_SINK_IS_LOST,
                    ROW_OF_SINK_IS_RESTORED,
                    ROWS_ARE_RESTORED_BENEATH_COPIES,
                    QUEUE_IS_EMPTIED_BENEATH_COPIES,
                    SOLE_OUTPUT_IS_SHARED,
                    STATE_IS_RESTORED_WITH_ITS_INPUT -> Names.FIRST;
        };
    }

    private void restoreBank() {
        int before = bank.taken.size();
        bank.forget(1 + random.nextInt(3));
        outbox.forgetFrom(outbox.size() - (before - bank.taken.size()));
    }

    // The end

    private SortedMap<Long, Message> contents(MessageQueueName queue) {
        return contents(queue.cells(), layout(queue));
    }

    private SortedMap<Long, Message> now(String queue) {
        return contents(names.queue(queue));
    }

    /** A part that has ended holds the ring full for the part before it. */
    private boolean isThrough(boolean through, String... roles) {
        return through || List.of(roles).stream().anyMatch(told::contains);
    }

    private boolean hasClerkTakenAll() {
        StoredValue stored = store.present(names.statesKeyspace() + "handler/" + names.of("clerk") + "/state");
        if (stored.getVersion() == 0) {
            return false;
        }
        DecodedState state = DecodedState.of(names.of("clerk"), stored);
        return state.handling()
                && state.indexes().getOrDefault(names.of("receipts"), -1L)
                        == now("receipts").size()
                && (!names.outputs() || state.sequences().getOrDefault(names.of("archived"), 0L) == pushedByClerk());
    }

    private long pushedByClerk() {
        return now("archived").values().stream()
                .filter(message -> message.id().producer().equals(names.of("clerk")))
                .count();
    }

    private boolean isAllThrough() {
        return isThrough(haveEnded(firstOrdersAreLeft ? "push-p" + (pushers - 1) : "push-"), "bank")
                && isThrough(bank.index() == now("orders").size(), "bank")
                && isThrough(outbox.size() == now("receipts").size(), "pump", "clerk")
                && isThrough(hasClerkTakenAll(), "clerk", "archive")
                && isThrough(archive.index() == now("archived").size(), "archive");
    }

    @Override
    protected boolean isDone() {
        if (!change.isAtRest() || changed) {
            return isAllThrough();
        }
        if (!isAllThrough()) {
            doneSince = -1;
        } else if (doneSince < 0) {
            doneSince = scheduler.step();
        } else if (scheduler.step() > doneSince + LONG_AT_REST) {
            changed = true;
            changeAtRest();
        }
        return false;
    }

    private void changeAtRest() {
        names = changedNames();
        switch (change) {
            case ROWS_ARE_RESTORED_BENEATH_COPIES -> restoreBank();
            case QUEUE_IS_EMPTIED_BENEATH_COPIES -> store.forget("queue/orders/");
            default -> restart("clerk");
        }
        pusher(change == Change.OUTPUT_IS_REMOVED ? 0 : scheduler.step() + LONG_AT_REST);
    }

    @Override
    protected String told() {
        return "told " + told + ", bank " + bank.index() + " of "
                + now("orders").size() + ", outbox "
                + outbox.size() + ", receipts " + now("receipts").size() + ", clerk " + hasClerkTakenAll()
                + ", archive " + archive.index() + " of "
                + now("archived").size() + ", pushers "
                + (haveEnded("push-") ? "ended" : "still push");
    }

    private void check() {
        if (!told.contains("bank")) {
            checkEffects("bank", bank, now("orders"));
        }
        if (!told.contains("archive")) {
            checkEffects("archive", archive, now("archived"));
        }
        if (!told.contains("pump") && !told.contains("bank")) {
            checkRows();
        }
        checkTwice(names.queue("receipts"), Names.FIRST.queue("receipts"));
        if (!told.contains("clerk") && !told.contains("archive") && names.outputs()) {
            checkOutputs();
        }
    }

    private void checkRows() {
        SortedMap<Long, Message> receipts = now("receipts");
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
        now("archived").values().forEach(message -> outputs.add(text(message)));
        contents(Names.FIRST.queue("archived")).values().forEach(message -> outputs.add(text(message)));
        now("receipts").values().stream()
                .filter(message -> !outputs.contains(text(message)))
                .findFirst()
                .ifPresent(message -> violated(Violation.LOST, "no output for " + text(message)));
    }

    private static String text(Message message) {
        return TEXT.decode(message.payloads().get(0));
    }
}

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
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Money goes from accounts in registers to accounts in a store with transactions, and back, in half transactions:
 *
 * <pre>
 * requests → withdrawer (effect on an account register) → deposits → bank (transaction)
 * orders → bank's outbox (transaction) → pump → arrivals → depositor (effect on an account register)
 * </pre>
 */
final class MoneyWorld extends World {

    private static final List<String> ACCOUNTS = List.of("x", "y");
    private static final long FIRST_BALANCE = 5;
    private static final Bytes OK = Bytes.of(Codec.utf8(), "ok");
    private static final Bytes NO = Bytes.of(Codec.utf8(), "no");

    private final Map<String, Long> bank = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private final SimulatedSink deposits;
    private final SimulatedSink orders;
    private final SimulatedOutbox outbox;

    private MoneyWorld(long seed, Function<SplittableRandom, Faults> faultModel) {
        super(seed, faultModel, (register, history) -> {});
        List.of("requests", "deposits", "orders", "arrivals")
                .forEach(queue -> layouts.put(
                        queue, random.nextInt(3) == 0 ? new Layout.Keep() : new Layout.Ring(2 + random.nextInt(4))));
        ACCOUNTS.forEach(account -> bank.put(account, FIRST_BALANCE));
        deposits = new SimulatedSink(scheduler, random, this::faults, this::deposit);
        orders = new SimulatedSink(scheduler, random, this::faults, this::order);
        outbox = new SimulatedOutbox(scheduler, random, this::faults, () -> orders.index() >= 0);
        pusher("people", "requests");
        pusher("traders", "orders");
        handler("withdrawer", "requests", new Withdrawer());
        handler("depositor", "arrivals", new Depositor());
        sink("bank-in", "deposits", deposits);
        sink("bank-out", "orders", orders);
        pump();
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        MoneyWorld world = new MoneyWorld(seed, faultModel);
        world.runToTheEnd();
        world.checkSum();
        SimulationTotals.add(world);
        return world.violations;
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), what));
    }

    // What people want: "account amount"

    private void pusher(String name, String queue) {
        int count = 2 + random.nextInt(5);
        thread("push-" + name, 1, false, () -> {
            MessageQueue to = queue(queue, registers());
            for (int i = 0; i < count; i++) {
                String request = ACCOUNTS.get(random.nextInt(ACCOUNTS.size())) + " " + (1 + random.nextInt(3));
                NumberedPush.push(
                        to, Message.of(MessageId.of(name, i), Codec.utf8().encode(request)));
            }
        });
    }

    private static String account(String request) {
        return request.substring(0, request.indexOf(' '));
    }

    private static long amount(String request) {
        return Long.parseLong(request.substring(request.indexOf(' ') + 1));
    }

    // Accounts in registers

    /** "-3" withdraws if there is enough; "3" deposits. */
    private static EffectFunction.Change change(Optional<Bytes> content, Bytes request) {
        long balance =
                content.map(bytes -> Long.parseLong(bytes.as(Codec.utf8()))).orElse(FIRST_BALANCE);
        long after = balance + Long.parseLong(request.as(Codec.utf8()));
        return after < 0
                ? new EffectFunction.Change(balanceBytes(balance), NO)
                : new EffectFunction.Change(balanceBytes(after), OK);
    }

    private static Bytes balanceBytes(long balance) {
        return Bytes.of(Codec.utf8(), Long.toString(balance));
    }

    private static Bytes changeBytes(long amount) {
        return Bytes.of(Codec.utf8(), Long.toString(amount));
    }

    /** The user's state is the request that is under way. */
    private static final class Withdrawer implements ExactlyOnceHandler<String> {

        @Override
        public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
            String request = inputs.from("requests", Codec.utf8()).get(0);
            return HandlerResult.of(request).effect("accounts", account(request), changeBytes(-amount(request)));
        }

        @Override
        public HandlerResult<String> afterEffect(String request, Bytes asked, Bytes result, Instant time) {
            HandlerResult<String> after = HandlerResult.of("");
            return result.equals(OK) ? after.output("deposits", Codec.utf8(), request) : after;
        }
    }

    private static final class Depositor implements ExactlyOnceHandler<String> {

        @Override
        public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
            String request = inputs.from("arrivals", Codec.utf8()).get(0);
            return HandlerResult.of(request).effect("accounts", account(request), changeBytes(amount(request)));
        }

        @Override
        public HandlerResult<String> afterEffect(String request, Bytes asked, Bytes result, Instant time) {
            return HandlerResult.of("");
        }
    }

    private void handler(String name, String input, ExactlyOnceHandler<String> function) {
        boolean exclusive = random.nextBoolean();
        role(name, 2 + random.nextInt(2), true, (threads, copy) -> {
            Registers registers = registers();
            HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                            name, function, registers, StateCodec.of(Codec.utf8()), () -> "")
                    .input(queue(input, registers))
                    .effects(new RegisterSink("accounts", registers, MoneyWorld::change))
                    .idlePauses(PAUSES)
                    .failurePauses(PAUSES);
            if (exclusive && name.equals("withdrawer")) {
                definition.exclusiveOutput(queue("deposits", registers));
            } else {
                definition.output(queue("deposits", registers));
            }
            return handler(definition.build(), threads, copy);
        });
    }

    // Accounts in a store with transactions

    private void deposit(Message message) {
        forEachRequest(message, request -> bank.merge(account(request), amount(request), Long::sum));
    }

    private void order(Message message) {
        forEachRequest(message, request -> {
            if (bank.getOrDefault(account(request), 0L) >= amount(request)) {
                bank.merge(account(request), -amount(request), Long::sum);
                outbox.add(message);
            }
        });
    }

    private static void forEachRequest(Message message, Consumer<String> action) {
        message.payloads().forEach(payload -> action.accept(Codec.utf8().decode(payload)));
    }

    private void sink(String name, String queue, SimulatedSink sink) {
        role(
                name,
                1 + random.nextInt(2),
                true,
                (threads, copy) -> sink(name, queue(queue, registers()), sink, threads, copy));
    }

    private void pump() {
        role(
                "pump",
                1 + random.nextInt(2),
                true,
                (threads, copy) -> pump("pump", outbox, queue("arrivals", registers()), threads, copy));
    }

    // The end

    private long messages(String queue) {
        String cells = "queue/" + queue + "/cells/";
        boolean keeps = layoutOf(queue).isCleaningCells();
        return store.registers().entrySet().stream()
                .filter(register -> register.getKey().startsWith(cells))
                .mapToLong(register -> keeps
                        ? Math.min(1, register.getValue().size() - 1)
                        : register.getValue().size() - 1)
                .sum();
    }

    private boolean isThrough(String handler, String input) {
        StoredValue stored = store.present("handler/" + handler + "/state");
        if (stored.getVersion() == 0) {
            return false;
        }
        DecodedState state = DecodedState.of(handler, stored);
        return state.handling()
                && state.indexes().getOrDefault(input, -1L) == messages(input)
                && (handler.equals("depositor")
                        || state.sequences().getOrDefault("deposits", 0L) == messages("deposits"));
    }

    @Override
    protected boolean isDone() {
        return haveEnded("push-")
                && isThrough("withdrawer", "requests")
                && deposits.index() == messages("deposits")
                && orders.index() == messages("orders")
                && outbox.size() == messages("arrivals")
                && isThrough("depositor", "arrivals");
    }

    @Override
    protected String told() {
        return "queues "
                + layouts.keySet().stream()
                        .map(queue -> queue + " " + messages(queue))
                        .toList() + ", bank " + deposits.index() + " and " + orders.index() + ", outbox "
                + outbox.size();
    }

    private long registered(String account) {
        return DecodedSinkRegister.content(store.present("sink/accounts/" + account))
                .map(content -> Long.parseLong(content.as(Codec.utf8())))
                .orElse(FIRST_BALANCE);
    }

    /** All queues are empty, so that the accounts have all the money. */
    private void checkSum() {
        long registered = ACCOUNTS.stream().mapToLong(this::registered).sum();
        long banked = bank.values().stream().mapToLong(Long::longValue).sum();
        long expected = 2 * FIRST_BALANCE * ACCOUNTS.size();
        if (registered + banked != expected) {
            violated(Violation.WRONG_SUM, registered + " + " + banked + " is not " + expected);
        }
    }
}

package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.DecodedState.DecodedOutput;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.ParkedMessage;
import io.github.cassandralock.exactlyonce.handler.ParkedMessages;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.handler.UndecodableStateException;
import io.github.cassandralock.exactlyonce.queue.DecodedCell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * One handler that parks messages, in copies that are healthy, slow or broken, and operators who send what is parked again or discard
 * it, whose processes die. Messages are good, or flaky in all copies, or ill until operators begin, or poison for ever. For some time,
 * what the function depends on is down. Each word is there once.
 */
final class ParkingWorld extends World {

    private static final Codec<String> TEXT = Codec.utf8();
    private static final String HANDLER = "h";
    private static final List<String> OPERATORS = List.of("operator", "colleague");
    private static final int MOST_WORDS = 10;

    /** If more than three of four messages fail, none of them is at fault. */
    private static final int MOST_BAD = 6;

    private static final int FEWEST_GOOD = 3;

    private static final String GOOD = "good";
    private static final String POISON = "poison";
    private static final String ILL = "ill";
    private static final String FLAKY = "flaky";

    /** A copy is silent after six times that, so that copies which stand still or were killed a while ago are waited for. */
    private static final int MIN_DURATION = 1_000;

    /** The largest parking ring: messages in the middle of it may be sent again before the oldest one. */
    private static final int MOST_PARKED = 3;

    /** At most so many messages that were sent again wait: fewer than are ill, so that requests find no room. */
    private static final int MOST_SENT_AGAIN = 2;

    /** An operator's process sends so many, on average. */
    private static final int REQUESTS_OF_A_LIFE = 40;

    /** From that step on, late operators begin in any case: the handler may never wait. */
    private static final int LATEST_BEGIN = 15_000;

    private static final String SENT_AGAIN = "handler/h/sent-again";

    /** At most so many steps after operators have begun. */
    private static final int LATEST_BACKUP = 500;

    /** At most so many steps after the backup. */
    private static final int LATEST_RESTORE = 1_500;

    /** A schedule with a restored register is done after so many requests that were refused for that reason. */
    private static final int REFUSALS = 3;

    private static final int MOST_FLAKY_FAILURES = 4;

    /** A shorter outage may lie between two successes of a slow copy: its failure then looks like the message's own. */
    private static final int SHORTEST_OUTAGE = 2 * MIN_DURATION;

    private static final int LONGEST_OUTAGE = 4 * MIN_DURATION;

    /** Before that step, no copy is broken: a copy that has not begun is not known to the others. */
    private static final int FIRST_BREAK = 900;

    private enum Habit {
        MIXED,
        /** Each ill message fails until it is sent again, and operators begin once the parking ring is full. */
        FULL_RINGS,
        /** As FULL_RINGS, and the register of what was sent again is restored, but not its queues. */
        RESTORED_REGISTER
    }

    /** What is wrong with a copy. */
    private enum Health {
        HEALTHY,
        /** A call that begins at the end of an outage lasts for longer than failures have to. */
        SLOW,
        /** Fails with every message. */
        BROKEN,
        /** Fails with some messages. */
        PARTLY_BROKEN,
        /** Cannot decode the state. */
        BLIND
    }

    private final List<String> violations = new ArrayList<>();
    private final List<String> words = new ArrayList<>();

    /** What was written into the queue. */
    private final Set<String> pushed = new HashSet<>();

    /** Sequence and word of each parked message that was sent again. */
    private final Set<String> sentAgain = new HashSet<>();

    /** Whether operators begin once the parking ring is full, and each ill message fails until it is sent again. */
    private final boolean fullRings;

    private long outageBegins;
    private long outageEnds;

    /** Whether the outage begins soon after flaky words have failed for the last time, so that the next failure is the outage's. */
    private final boolean outageAfterFlaky;

    /** More failures than count of a flaky word. The first one counts only after an outage: a success may lie before it there. */
    private final int attempts;

    /** Flaky word → how often it was tried, in whichever copy. */
    private final Map<String, Integer> failures = new HashMap<>();

    /** Whether a healthy copy has called the function: it is known to the others then. */
    private boolean healthyBegan;

    /** Operators begin once so many messages are parked. */
    private final int operatorsBegin;

    /** Whether operators begin only when the handler waits for its parking ring. */
    private final boolean lateOperators;

    private boolean waitsForRing;
    private boolean operatorsBegan;

    /** Words of all messages that were ever parked. */
    private final Set<String> everParked = new HashSet<>();

    private List<String> taken = List.of();

    /** What was in the register of what was sent again, before older content was restored. */
    private StoredValue beforeRestore = StoredValue.neverWritten();

    private int refusals;

    private ParkingWorld(long seed, Function<SplittableRandom, Faults> faultModel, Habit habit, ParkingWorld[] self) {
        super(seed, faultModel, (register, history) -> self[0].written(register, history));
        fullRings = habit != Habit.MIXED;
        self[0] = this;
        layouts.put("in", random.nextBoolean() ? new Layout.Keep() : new Layout.Ring(MOST_WORDS + random.nextInt(4)));
        int cells = fullRings ? MOST_PARKED : 2 + random.nextInt(MOST_PARKED - 1);
        layouts.put("parked", !fullRings && random.nextBoolean() ? new Layout.Keep() : new Layout.Ring(cells));
        boolean early = random.nextInt(4) == 0; // the function has not succeeded with anything before the outage
        boolean alone = early && random.nextBoolean();
        outageAfterFlaky = !early && random.nextInt(3) == 0;
        if (early || (!outageAfterFlaky && random.nextBoolean())) {
            outage(early ? 0 : 200 + random.nextInt(1_500));
        }
        attempts = outageEnds == 0 ? MOST_FLAKY_FAILURES : MOST_FLAKY_FAILURES + 1;
        List<String> kinds = fullRings ? List.of(GOOD, ILL, ILL, ILL) : List.of(GOOD, GOOD, FLAKY, ILL, POISON);
        int count = fullRings ? MOST_WORDS - FEWEST_GOOD : 2 + random.nextInt(MOST_WORDS - 3);
        int bad = 0;
        for (int i = 0; i < count; i++) {
            String kind = kinds.get(random.nextInt(kinds.size()));
            bad += kind.equals(ILL) || kind.equals(POISON) ? 1 : 0;
            words.add((bad > MOST_BAD ? GOOD : kind) + i);
        }
        lateOperators = fullRings || random.nextInt(4) == 0;
        operatorsBegin = Math.min(1 + random.nextInt(cells), Math.min(bad, MOST_BAD));
        for (int i = count; i < count + FEWEST_GOOD; i++) {
            words.add(GOOD + i);
        }
        pusher(alone);
        copies(
                "healthy",
                early ? 1 : 1 + random.nextInt(2),
                early || random.nextBoolean() ? Health.SLOW : Health.HEALTHY);
        if ((early && !alone) || random.nextBoolean()) {
            copies("broken", 1, early || random.nextBoolean() ? Health.PARTLY_BROKEN : Health.BROKEN);
        }
        if (!early && random.nextInt(4) == 0) {
            copies("blind", 1, Health.BLIND);
        }
        operators();
        if (habit == Habit.RESTORED_REGISTER) {
            thread("administrator", 1, true, this::restoreRegister);
        }
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        return run(new ParkingWorld(seed, faultModel, Habit.MIXED, new ParkingWorld[1]));
    }

    /** Most messages are ill, and operators begin once the parking ring is full. */
    static List<String> runWithFullRings(long seed, Function<SplittableRandom, Faults> faultModel) {
        return run(new ParkingWorld(seed, faultModel, Habit.FULL_RINGS, new ParkingWorld[1]));
    }

    /** The register of what was sent again is restored, and the queues beside it are not. */
    static List<String> runWithRestoredRegister(long seed, Function<SplittableRandom, Faults> faultModel) {
        return run(new ParkingWorld(seed, faultModel, Habit.RESTORED_REGISTER, new ParkingWorld[1]));
    }

    private static List<String> run(ParkingWorld world) {
        world.runToTheEnd();
        world.checkAtTheEnd();
        SimulationTotals.add(world);
        return world.violations;
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), what));
    }

    // What runs

    /**
     * Pushes all words, even if the process is killed meanwhile. Copies compare a bad word with the good words at the end.
     *
     * @param firstAlone whether the first word is alone until the outage ends
     */
    private void pusher(boolean firstAlone) {
        thread("pusher", 1, true, () -> {
            if (firstAlone && scheduler.step() < outageEnds) {
                importRows(queue("in", registers()), words.subList(0, 1), 1);
                while (scheduler.step() < outageEnds) {
                    scheduler.pause(100);
                }
            }
            importRows(queue("in", registers()), words, 1);
        });
    }

    private HandlerDefinition<String> definition(Health health) {
        return definition(health, registers());
    }

    private HandlerDefinition<String> definition(Health health, Registers registers) {
        StateCodec<String> codec = StateCodec.of(health == Health.BLIND ? blind() : TEXT);
        HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                        HANDLER, (state, inputs, time) -> handle(health, state, inputs), registers, codec, () -> "")
                .input(queue("in", registers))
                .maxInputs(1 + random.nextInt(3))
                .idlePauses(PAUSES)
                .failurePauses(PAUSES)
                .parkAfter(attempts, Duration.ofMillis(MIN_DURATION), queue("parked", registers));
        return DecodedState.withFewSentAgain(definition, MOST_SENT_AGAIN).build();
    }

    private static final class BlindException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** It reads what was written before it broke. */
    private Codec<String> blind() {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return TEXT.encode(value);
            }

            @Override
            public String decode(byte[] bytes) {
                if (scheduler.step() > FIRST_BREAK) {
                    throw new BlindException();
                }
                return TEXT.decode(bytes);
            }
        };
    }

    private void copies(String name, int members, Health health) {
        role(
                name,
                members,
                true,
                (threads, copy) -> Running.of(new HandlerCopy(
                        definition(health),
                        name + copy,
                        new HandlerListener() {
                            @Override
                            public void onFunctionFailed(String handler, int attempt, Throwable cause) {
                                if (cause instanceof BlindException || cause instanceof UndecodableStateException) {
                                    violated(Violation.FAILED, "a message, though the state could not be decoded");
                                }
                            }

                            @Override
                            public void onFailed(String handler, Throwable cause) {
                                if (health != Health.BLIND || !(cause instanceof UndecodableStateException)) {
                                    ParkingWorld.this.failed(name, cause);
                                }
                            }
                        },
                        environment(threads))));
    }

    private HandlerResult<String> handle(Health health, String state, Inputs inputs) throws InterruptedException {
        if (health == Health.SLOW) {
            int longestPause = isLong() ? 160 : 8;
            for (int requests = random.nextInt(40); requests > 0; requests--) {
                scheduler.pause(longestPause);
            }
        }
        String after = state;
        for (String word : inputs.from("in", TEXT)) {
            if (fails(health, word)) {
                throw new IllegalStateException(word);
            }
            after += " " + word;
        }
        return HandlerResult.of(after);
    }

    /** Whether a call lasts for longer than failures have to. If many did, the copy would be silent, and not waited for. */
    private boolean isLong() {
        return scheduler.step() < outageEnds && scheduler.step() > outageEnds - MIN_DURATION / 4;
    }

    private boolean fails(Health health, String word) {
        healthyBegan |= health == Health.HEALTHY || health == Health.SLOW;
        boolean breaks = healthyBegan
                && scheduler.step() > FIRST_BREAK
                && (health == Health.BROKEN || (health == Health.PARTLY_BROKEN && word.hashCode() % 2 != 0));
        boolean down = scheduler.step() >= outageBegins && scheduler.step() < outageEnds;
        return breaks
                || down
                || word.startsWith(POISON)
                || (word.startsWith(ILL) && !isCured(word))
                || (word.startsWith(FLAKY) && failsAgain(word));
    }

    private boolean isCured(String ill) {
        return fullRings ? sentAgain.stream().anyMatch(sent -> sent.endsWith(" " + ill)) : operatorsBegan;
    }

    private boolean failsAgain(String flaky) {
        boolean again = failures.merge(flaky, 1, Integer::sum) <= MOST_FLAKY_FAILURES;
        if (outageAfterFlaky && outageEnds == 0 && words.stream().noneMatch(this::mayFailAgain)) {
            outage(scheduler.step() + random.nextInt(MIN_DURATION / 2));
        }
        return again;
    }

    private boolean mayFailAgain(String word) {
        return word.startsWith(FLAKY) && failures.getOrDefault(word, 0) < MOST_FLAKY_FAILURES;
    }

    private void outage(long begins) {
        outageBegins = begins;
        outageEnds = begins + random.nextInt(SHORTEST_OUTAGE, LONGEST_OUTAGE);
    }

    /** They send the same messages again, and discard the same. Their processes die at any request, and others go on. */
    private void operators() {
        for (String name : OPERATORS) {
            thread(name, 1, true, () -> {
                while (true) {
                    try {
                        operate();
                    } catch (Died e) {
                        // another process goes on
                    }
                }
            });
        }
    }

    private void operate() throws InterruptedException {
        Registers living = registers();
        Registers mortal = new Registers(new MortalStore(), living.writeIds(), living.pauser(), living.pauses());
        ParkedMessages parked = ParkedMessages.of(definition(Health.HEALTHY, mortal));
        while (true) {
            scheduler.pause(20);
            List<ParkedMessage> messages = mayBegin() ? parked.list(0, 100).messages() : List.of();
            if (!messages.isEmpty()) {
                treat(parked, messages.get(random.nextInt(messages.size())));
            }
        }
    }

    private boolean mayBegin() {
        return everParked.size() >= operatorsBegin
                && (!lateOperators || waitsForRing || scheduler.step() > LATEST_BEGIN);
    }

    /** A process has died at a request. */
    private static final class Died extends Error {
        private static final long serialVersionUID = 1L;

        Died() {
            super("died", null, false, false);
        }
    }

    /** The store, for a process that dies before it sends a request, or before it gets the answer. */
    private final class MortalStore implements RegisterStore {

        private void live() {
            if (random.nextInt(REQUESTS_OF_A_LIFE) == 0) {
                throw new Died();
            }
        }

        @Override
        public StoredValue read(String name) throws InterruptedException {
            live();
            return store.read(name);
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            live();
            CompareAndSetAnswer answer = store.compareAndSet(name, expected, value, writeId);
            live();
            return answer;
        }
    }

    private void treat(ParkedMessages parked, ParkedMessage message) throws InterruptedException {
        operatorsBegan = true;
        if (message.status() == ParkedMessage.Status.DONE && random.nextInt(8) > 0) {
            return;
        }
        try {
            if (wordOf(message.payloads()).startsWith(POISON)) {
                parked.discard(message.index());
            } else {
                parked.sendAgain(message.index());
            }
        } catch (IllegalArgumentException e) {
            // The other operator was faster, and the cell is used again.
        } catch (TwoProducersException e) {
            if (!isRestored() || !String.valueOf(e.getMessage()).contains("restored from a backup")) {
                throw e;
            }
            refusals++;
        }
    }

    /** No operator's process runs meanwhile. */
    private void restoreRegister() throws InterruptedException {
        while (!operatorsBegan) {
            scheduler.pause(LATEST_BACKUP);
        }
        scheduler.pause(LATEST_BACKUP);
        Map<String, List<StoredValue>> backup = store.backup(SENT_AGAIN);
        scheduler.pause(LATEST_RESTORE);
        StoredValue present = store.present(SENT_AGAIN);
        store.restore(backup, SENT_AGAIN);
        if (store.present(SENT_AGAIN).getVersion() < present.getVersion()) {
            beforeRestore = present;
        }
        OPERATORS.forEach(this::restart);
    }

    private boolean isRestored() {
        return beforeRestore.getVersion() > 0;
    }

    private static String wordOf(List<byte[]> payloads) {
        return TEXT.decode(payloads.get(0));
    }

    // What was written

    private void written(String register, List<StoredValue> history) {
        StoredValue written = history.get(history.size() - 1);
        if (register.equals("handler/h/state")) {
            DecodedState decoded = DecodedState.of(HANDLER, written);
            waitsForRing |= layoutOf("parked") instanceof Layout.Ring ring
                    && decoded.outputs().stream().anyMatch(output -> output.sequence() >= ring.cells());
            String state = decoded.userState().as(TEXT);
            taken = state.isEmpty() ? List.of() : List.of(state.trim().split(" ", -1));
        } else if (register.startsWith("queue/in/cells/")) {
            DecodedCell.message(written).ifPresent(message -> pushed.add(wordOf(message.payloads())));
        } else if (register.equals(SENT_AGAIN)) {
            checkSent(history);
        } else if (register.startsWith("queue/again:h/cells/")) {
            DecodedCell.message(written)
                    .ifPresent(message -> sentAgain.add(message.id().sequence() + " "
                            + TEXT.decode(message.payloads().get(1))));
        } else if (register.equals("queue/parked/low-water")) {
            DecodedCell.lowWater(written).marks().forEach((consumer, mark) -> checkDone(mark));
        } else if (register.startsWith("queue/parked/cells/")) {
            DecodedCell.message(written)
                    .map(message -> TEXT.decode(message.payloads().get(1)))
                    .ifPresent(this::parked);
        }
    }

    private void parked(String word) {
        everParked.add(word);
        if (!word.startsWith(POISON) && !word.startsWith(ILL)) {
            violated(Violation.PARKED_GOOD, word);
        }
    }

    /** What a request has decided to send is in the queue before another one is decided. */
    private void checkSent(List<StoredValue> history) {
        Optional<DecodedOutput> before = DecodedState.beingSent(history.get(history.size() - 2));
        Optional<DecodedOutput> after = DecodedState.beingSent(history.get(history.size() - 1));
        before.filter(sent -> after.stream().noneMatch(next -> next.sequence() == sent.sequence()))
                .map(sent -> sent.sequence() + " " + TEXT.decode(sent.payloads().get(1)))
                .filter(sent -> !sentAgain.contains(sent))
                .ifPresent(sent -> violated(Violation.LOST, "parked message that was to be sent again: " + sent));
    }

    private void checkDone(long mark) {
        StoredValue record = store.present(SENT_AGAIN);
        for (long index = 0; index < mark; index++) {
            if (!DecodedState.isDone(record, "parked", index) && !DecodedState.isDone(beforeRestore, "parked", index)) {
                violated(Violation.UNREAD_OVERWRITTEN, "parked[" + index + "] may be, and nobody has sent it again");
            }
        }
    }

    // The end

    private Set<String> expected() {
        Set<String> expected = new HashSet<>(pushed);
        expected.removeIf(word -> word.startsWith(POISON));
        return expected;
    }

    @Override
    protected boolean isDone() {
        return refusals >= REFUSALS || hasTakenAll();
    }

    private boolean hasTakenAll() {
        return haveEnded("pusher")
                && pushed.containsAll(words)
                && parkedPoison().size() == pushed.size() - expected().size()
                && new HashSet<>(taken).containsAll(expected());
    }

    private Set<String> parkedPoison() {
        Set<String> found = new HashSet<>();
        store.registers().forEach((register, history) -> {
            if (register.startsWith("queue/parked/cells/")) {
                history.stream()
                        .filter(stored -> stored.getVersion() > 0)
                        .flatMap(stored -> DecodedCell.message(stored).stream())
                        .map(message -> TEXT.decode(message.payloads().get(1)))
                        .filter(word -> word.startsWith(POISON))
                        .forEach(found::add);
            }
        });
        return found;
    }

    @Override
    protected String told() {
        return "state " + DecodedState.of(HANDLER, store.present("handler/h/state")) + ", pushed " + pushed + ", taken "
                + taken + ", poison parked " + parkedPoison() + ", layouts " + layouts + ", sent again " + sentAgain
                + ", being sent "
                + DecodedState.beingSent(store.present(SENT_AGAIN))
                        .map(sent -> sent.sequence() + " "
                                + TEXT.decode(sent.payloads().get(1)))
                + ", low water of parked "
                + DecodedCell.lowWater(store.present("queue/parked/low-water")).marks()
                + ", restored " + isRestored() + ", refusals " + refusals;
    }

    private void checkAtTheEnd() {
        if (new HashSet<>(taken).size() < taken.size()) {
            violated(Violation.DOUBLE, "words that were taken: " + taken);
        }
        if (!pushed.containsAll(taken)) {
            violated(Violation.MADE_UP, "words that were taken: " + taken + " of " + pushed);
        }
        checkParked();
    }

    /** A message that may not be discarded is parked until it is sent again. */
    private void checkParked() {
        Set<String> kept = new HashSet<>(presentlyParked());
        sentAgain.forEach(sent -> kept.add(sent.substring(sent.indexOf(' ') + 1)));
        everParked.stream()
                .filter(word -> !word.startsWith(POISON) && !kept.contains(word))
                .forEach(word -> violated(Violation.LOST, "parked message that was not sent again: " + word));
    }

    private Set<String> presentlyParked() {
        Set<String> found = new HashSet<>();
        store.registers().forEach((register, history) -> {
            StoredValue present = history.get(history.size() - 1);
            if (register.startsWith("queue/parked/cells/") && present.getVersion() > 0) {
                DecodedCell.message(present)
                        .ifPresent(message ->
                                found.add(TEXT.decode(message.payloads().get(1))));
            }
        });
        return found;
    }
}

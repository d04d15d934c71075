package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
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
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * One handler that parks messages, in copies that are healthy, slow or broken, and operators who send what is parked again or discard
 * it. Messages are good, or flaky in all copies, or ill until operators begin, or poison for ever. For some time, what the function
 * depends on is down. Each word is there once.
 */
final class ParkingWorld extends World {

    private static final Codec<String> TEXT = Codec.utf8();
    private static final String HANDLER = "h";
    private static final int MOST_WORDS = 10;

    /** If more than three of four messages fail, none of them is at fault. */
    private static final int MOST_BAD = 4;

    private static final String GOOD = "good";
    private static final String POISON = "poison";
    private static final String ILL = "ill";
    private static final String FLAKY = "flaky";

    /** A copy is silent after six times that, so that copies which stand still or were killed a while ago are waited for. */
    private static final int MIN_DURATION = 1_000;

    private static final int MOST_FLAKY_FAILURES = 4;
    private static final int LONGEST_OUTAGE = 4 * MIN_DURATION;

    /** Before that step, no copy is broken: a copy that has not begun is not known to the others. */
    private static final int FIRST_BREAK = 900;

    /** What is wrong with a copy. */
    private enum Health {
        HEALTHY,
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

    private final long outageBegins;
    private final long outageEnds;

    /** Flaky word → how often it was tried, in whichever copy. */
    private final Map<String, Integer> failures = new HashMap<>();

    /** Whether a healthy copy has called the function: it is known to the others then. */
    private boolean healthyBegan;

    private boolean operatorsBegan;
    private List<String> taken = List.of();

    private ParkingWorld(long seed, Function<SplittableRandom, Faults> faultModel, ParkingWorld[] self) {
        super(seed, faultModel, (register, history) -> self[0].written(register, history));
        self[0] = this;
        layouts.put("in", random.nextBoolean() ? new Layout.Keep() : new Layout.Ring(MOST_WORDS + random.nextInt(4)));
        layouts.put("parked", random.nextBoolean() ? new Layout.Keep() : new Layout.Ring(2 + random.nextInt(2)));
        outageBegins = 200L + random.nextInt(1_500);
        outageEnds = outageBegins + (random.nextBoolean() ? random.nextInt(LONGEST_OUTAGE) : 0);
        int count = 2 + random.nextInt(MOST_WORDS - 3);
        int bad = 0;
        for (int i = 0; i < count; i++) {
            String kind = List.of(GOOD, GOOD, FLAKY, ILL, POISON).get(random.nextInt(5));
            bad += kind.equals(ILL) || kind.equals(POISON) ? 1 : 0;
            words.add((bad > MOST_BAD ? GOOD : kind) + i);
        }
        words.add(GOOD + count);
        words.add(GOOD + (count + 1));
        pusher();
        copies("healthy", 1 + random.nextInt(2), random.nextBoolean() ? Health.HEALTHY : Health.SLOW);
        if (random.nextBoolean()) {
            copies("broken", 1, random.nextBoolean() ? Health.BROKEN : Health.PARTLY_BROKEN);
        }
        if (random.nextInt(4) == 0) {
            copies("blind", 1, Health.BLIND);
        }
        operators();
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        ParkingWorld world = new ParkingWorld(seed, faultModel, new ParkingWorld[1]);
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

    /** Pushes all words, also if it is killed: the good ones at the end are what a bad one is compared with. */
    private void pusher() {
        thread("pusher", 1, true, () -> importRows(queue("in", registers()), words, 1));
    }

    private HandlerDefinition<String> definition(Health health) {
        Registers registers = registers();
        StateCodec<String> codec = StateCodec.of(health == Health.BLIND ? blind() : TEXT);
        return HandlerDefinition.builder(
                        HANDLER, (state, inputs, time) -> handle(health, state, inputs), registers, codec, () -> "")
                .input(queue("in", registers))
                .maxInputs(1 + random.nextInt(3))
                .idlePauses(PAUSES)
                .failurePauses(PAUSES)
                .parkAfter(MOST_FLAKY_FAILURES + 1, Duration.ofMillis(MIN_DURATION), queue("parked", registers))
                .build();
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
                            public void functionFailed(String handler, int attempt, Throwable cause) {
                                if (cause instanceof BlindException || cause instanceof UndecodableStateException) {
                                    violated(Violation.FAILED, "a message, though the state could not be decoded");
                                }
                            }

                            @Override
                            public void failed(String handler, Throwable cause) {
                                if (health != Health.BLIND || !(cause instanceof UndecodableStateException)) {
                                    ParkingWorld.this.failed(name, cause);
                                }
                            }
                        },
                        environment(threads))));
    }

    private HandlerResult<String> handle(Health health, String state, Inputs inputs) throws InterruptedException {
        if (health == Health.SLOW) {
            for (int requests = random.nextInt(40); requests > 0; requests--) {
                scheduler.pause(8);
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

    private boolean fails(Health health, String word) {
        healthyBegan |= health == Health.HEALTHY || health == Health.SLOW;
        boolean breaks = healthyBegan
                && scheduler.step() > FIRST_BREAK
                && (health == Health.BROKEN || (health == Health.PARTLY_BROKEN && word.hashCode() % 2 == 0));
        boolean down = scheduler.step() >= outageBegins && scheduler.step() < outageEnds;
        return breaks
                || down
                || word.startsWith(POISON)
                || (word.startsWith(ILL) && !operatorsBegan)
                || (word.startsWith(FLAKY) && failures.merge(word, 1, Integer::sum) <= MOST_FLAKY_FAILURES);
    }

    /** They send the same messages again, and discard the same. */
    private void operators() {
        thread("operator", 2, true, () -> {
            ParkedMessages parked = ParkedMessages.of(definition(Health.HEALTHY));
            while (true) {
                scheduler.pause(50);
                for (ParkedMessage message : parked.list(0, 100).messages()) {
                    if (message.status() != ParkedMessage.Status.DONE || random.nextInt(4) == 0) {
                        treat(parked, message);
                    }
                }
            }
        });
    }

    private void treat(ParkedMessages parked, ParkedMessage message) throws InterruptedException {
        operatorsBegan = true;
        try {
            if (wordOf(message.payloads()).startsWith(POISON)) {
                parked.discard(message.index());
            } else {
                parked.sendAgain(message.index());
            }
        } catch (IllegalArgumentException e) {
            // The other operator was faster, and the cell is used again.
        }
    }

    private static String wordOf(List<byte[]> payloads) {
        return TEXT.decode(payloads.get(0));
    }

    // What was written

    private void written(String register, List<StoredValue> history) {
        StoredValue written = history.get(history.size() - 1);
        if (register.equals("handler/h/state")) {
            String state = DecodedState.of(HANDLER, written).userState().as(TEXT);
            taken = state.isEmpty() ? List.of() : List.of(state.trim().split(" ", -1));
        } else if (register.startsWith("queue/in/cells/")) {
            DecodedCell.message(written).ifPresent(message -> pushed.add(wordOf(message.payloads())));
        } else if (register.equals("queue/parked/low-water")) {
            DecodedCell.lowWater(written).marks().forEach((consumer, mark) -> checkDone(mark));
        } else if (register.startsWith("queue/parked/cells/")) {
            DecodedCell.message(written)
                    .map(message -> message.payloads().get(1))
                    .map(TEXT::decode)
                    .filter(word -> !word.startsWith(POISON) && !word.startsWith(ILL))
                    .ifPresent(word -> violated(Violation.PARKED_GOOD, word));
        }
    }

    private void checkDone(long mark) {
        for (long index = 0; index < mark; index++) {
            if (!DecodedState.isDone(store.present("handler/h/sent-again"), "parked", index)) {
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
                        .filter(stored -> stored.version() > 0)
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
                + taken + ", poison parked " + parkedPoison();
    }

    private void checkAtTheEnd() {
        if (new HashSet<>(taken).size() < taken.size()) {
            violated(Violation.DOUBLE, "words that were taken: " + taken);
        }
        if (!pushed.containsAll(taken)) {
            violated(Violation.MADE_UP, "words that were taken: " + taken + " of " + pushed);
        }
    }
}

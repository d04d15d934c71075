package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.DecodedState.DecodedOutput;
import io.github.cassandralock.exactlyonce.queue.DecodedCell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.LowWater;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Sees every version of every register, and says what must not be. */
final class PipelineChecker {

    /** Where messages go that no function could handle: they change no user's state. */
    static final String PARKED = "parked";

    private final LongSupplier step;
    private final Map<String, Layout> layouts;
    private final List<String> violations = new ArrayList<>();

    /** Queue → index → what was written there. */
    private final Map<String, SortedMap<Long, Message>> contents = new TreeMap<>();

    /** Queue and id → how often it is there. */
    private final Map<String, Integer> copies = new HashMap<>();

    private final Map<String, Long> highestVersions = new HashMap<>();
    private final Map<String, LowWater> lowWaters = new HashMap<>();
    /** Queue → consumers that were registered once, and were not later. */
    private final Map<String, Set<String>> removed = new HashMap<>();

    private final Map<String, DecodedState> states = new HashMap<>();

    /** Sinks have their positions elsewhere. */
    private final Map<String, LongSupplier> sinks = new HashMap<>();

    private final Map<String, List<DecodedOutput>> decided = new TreeMap<>();
    private final Map<String, Words> words = new HashMap<>();
    private final Set<String> inDoubt = new HashSet<>();

    PipelineChecker(LongSupplier step, Map<String, Layout> layouts) {
        this.step = step;
        this.layouts = layouts;
    }

    void sink(String consumer, LongSupplier index) {
        sinks.put(consumer, index);
    }

    void violated(Violation violation, String what) {
        violations.add(violation.at(step.getAsLong(), what));
    }

    List<String> violations() {
        return violations;
    }

    SortedMap<Long, Message> contents(String queue) {
        return contents.computeIfAbsent(queue, name -> new TreeMap<>());
    }

    int copiesOf(String queue, MessageId id) {
        return copies.getOrDefault(queue + " " + id, 0);
    }

    @Nullable
    DecodedState state(String handler) {
        return states.get(handler);
    }

    void written(String register, List<StoredValue> history) {
        StoredValue written = history.get(history.size() - 1);
        if (highestVersions.merge(register, written.getVersion(), Math::max) > written.getVersion()
                || history.size() < 2) {
            violated(Violation.WRITTEN_INTO_THE_PAST, register + " " + written);
        }
        String[] path = register.split("/", -1);
        if (path[0].equals("handler")) {
            if (path[2].equals("state")) {
                stateWritten(path[1], written);
            }
        } else if (path[2].equals("cells")) {
            cellWritten(path[1], Long.parseLong(path[3]), written);
        } else if (path[2].equals("low-water")) {
            lowWaterWritten(path[1], written);
        }
    }

    // Cells

    private void cellWritten(String queue, long cell, StoredValue written) {
        Layout layout = layouts.get(queue);
        if (layout instanceof Layout.Ring ring) {
            long index = (written.getVersion() - 1) * ring.cells() + cell;
            filled(queue, index, DecodedCell.message(written).orElseThrow());
            if (written.getVersion() > 1) {
                checkTaken(queue, index - ring.cells());
            }
        } else if (written.getVersion() == 1) {
            filled(queue, cell, DecodedCell.message(written).orElseThrow());
        } else {
            checkTaken(queue, cell);
        }
    }

    private void filled(String queue, long index, Message message) {
        if (contents(queue).putIfAbsent(index, message) != null) {
            violated(Violation.WRITTEN_INTO_THE_PAST, queue + "[" + index + "] " + message);
        }
        copies.merge(queue + " " + message.id(), 1, Integer::sum);
        if (copiesOf(queue, message.id()) > 1) {
            violated(Violation.DOUBLE, message.id() + " in " + queue + ", again at " + index);
        }
    }

    /** A cell is written over: all consumers must have committed that they took it. */
    private void checkTaken(String queue, long index) {
        LowWater record = lowWaters.get(queue);
        if (record == null) {
            violated(Violation.UNREAD_OVERWRITTEN, queue + "[" + index + "], and there is no low-water record");
            return;
        }
        record.marks().forEach((consumer, mark) -> {
            long committed = committedIndex(consumer, queue, mark);
            if (committed <= index) {
                violated(
                        Violation.UNREAD_OVERWRITTEN,
                        queue + "[" + index + "], and " + consumer + " is at " + committed);
            }
        });
    }

    /** @param start of a consumer that has taken nothing yet */
    private long committedIndex(String consumer, String queue, long start) {
        LongSupplier sink = sinks.get(consumer);
        if (sink != null) {
            return sink.getAsLong() < 0 ? start : sink.getAsLong();
        }
        DecodedState state = states.get(consumer);
        return state == null ? start : state.indexes().getOrDefault(queue, start);
    }

    // Low-water records

    private void lowWaterWritten(String queue, StoredValue written) {
        LowWater now = DecodedCell.lowWater(written);
        LowWater before = lowWaters.put(queue, now);
        if (before == null) {
            return;
        }
        Map<String, Long> marksBefore = new HashMap<>(before.marks());
        marksBefore.keySet().removeAll(now.removed());
        if (now.index() < before.index()
                || now.cleaned() < before.cleaned()
                || anyFalls(marksBefore, now.marks())
                || before.check().last().entrySet().stream().anyMatch(last -> isLower(now.check(), last))) {
            violated(Violation.LOW_WATER_FALLS, queue + ": " + before + " → " + now);
        }
        Set<String> gone = removed.computeIfAbsent(queue, name -> new HashSet<>());
        before.marks().keySet().stream()
                .filter(consumer -> !now.marks().containsKey(consumer))
                .forEach(gone::add);
        if (gone.stream().anyMatch(consumer -> now.marks().containsKey(consumer))) {
            violated(Violation.COMES_BACK, queue + ": " + before + " → " + now);
        }
    }

    /** A last sequence falls, or is not there though its producer was not forgotten. */
    private static boolean isLower(SequenceCheck now, Map.Entry<String, SequenceCheck.Last> before) {
        boolean forgotten = !now.last().containsKey(before.getKey())
                && now.forgottenBelow() > before.getValue().index();
        return !forgotten && now.lastOf(before.getKey()) < before.getValue().sequence();
    }

    boolean isRemoved(String queue, String consumer) {
        return removed.getOrDefault(queue, Set.of()).contains(consumer);
    }

    private static boolean anyFalls(Map<String, Long> before, Map<String, Long> now) {
        return before.entrySet().stream().anyMatch(entry -> now.getOrDefault(entry.getKey(), -1L) < entry.getValue());
    }

    // States

    private void stateWritten(String handler, StoredValue written) {
        DecodedState now = DecodedState.of(handler, written);
        DecodedState before = states.put(handler, now);
        if (before == null) {
            words.put(handler, now.userState().as(Words.CODEC));
            return;
        }
        if (now.step() < before.step() || now.time() < before.time() || anyFalls(before.indexes(), now.indexes())) {
            violated(Violation.STATE_GOES_BACK, handler + ": " + before + " → " + now);
            return;
        }
        if (now.step() > before.step()) {
            decided.computeIfAbsent(handler, name -> new ArrayList<>()).addAll(now.outputs());
        }
        checkInputs(handler, before, now);
    }

    private void checkInputs(String handler, DecodedState before, DecodedState now) {
        Words taken = words.getOrDefault(handler, new Words(0, 0));
        Words expected = taken;
        for (Map.Entry<String, Long> input : new TreeMap<>(now.indexes()).entrySet()) {
            long from = before.indexes().getOrDefault(input.getKey(), input.getValue());
            for (long index = from; index < input.getValue(); index++) {
                Message message = contents(input.getKey()).get(index);
                if (message == null) {
                    violated(
                            Violation.WRONG_INPUT,
                            handler + " took " + input.getKey() + "[" + index + "], which is absent");
                    return;
                }
                expected = expected.and(message);
            }
        }
        boolean parked = now.step() > before.step()
                && now.outputs().stream().anyMatch(output -> output.queue().equals(PARKED));
        if (parked) {
            expected = taken;
        }
        Words found = now.userState().as(Words.CODEC);
        words.put(handler, found);
        if (!found.equals(expected)) {
            violated(
                    Violation.WRONG_INPUT,
                    handler + " has " + found + " where its inputs make " + expected + ": " + before + " → " + now);
        }
    }

    // The end

    /** A handler has ended and said that it cannot know whether the message that its state names is there. */
    void endedInDoubt(String handler) {
        DecodedState state = states.get(handler);
        if (state != null && state.phase().equals("Writing")) {
            inDoubt.add(handler);
        } else {
            violated(Violation.FAILED, handler + " has ended in doubt, but is at " + state);
        }
    }

    boolean isInDoubt(String handler) {
        return inDoubt.contains(handler);
    }

    boolean allDecidedIsThere() {
        return decided.keySet().stream().allMatch(handler -> missing(handler).isEmpty());
    }

    /** What a handler has decided and is not there, without the outputs of a step that is in doubt. */
    private List<DecodedOutput> missing(String handler) {
        List<DecodedOutput> outputs = decided.getOrDefault(handler, List.of());
        int doubtful = Optional.ofNullable(states.get(handler))
                .filter(state -> isInDoubt(handler))
                .map(state -> state.outputs().size())
                .orElse(0);
        return outputs.subList(0, outputs.size() - doubtful).stream()
                .filter(output -> copiesOf(output.queue(), MessageId.of(handler, output.sequence())) == 0)
                .toList();
    }

    void checkContents(ToLongFunction<MessageId> timesPushed) {
        contents.forEach((queue, messages) -> {
            if (!messages.isEmpty() && messages.lastKey() != messages.size() - 1) {
                violated(Violation.HOLE, queue + " has only " + messages.keySet());
            }
            messages.values().forEach(message -> checkOrigin(queue, message, timesPushed));
        });
        decided.keySet()
                .forEach(handler -> missing(handler)
                        .forEach(output ->
                                violated(Violation.LOST, handler + "#" + output.sequence() + " in " + output.queue())));
    }

    private void checkOrigin(String queue, Message message, ToLongFunction<MessageId> timesPushed) {
        String producer = message.id().producer();
        if (!states.containsKey(producer)) {
            if (timesPushed.applyAsLong(message.id()) == 0) {
                violated(Violation.MADE_UP, message + " in " + queue);
            }
            return;
        }
        boolean wasDecided = decided.getOrDefault(producer, List.of()).stream()
                .anyMatch(output -> output.queue().equals(queue)
                        && output.sequence() == message.id().sequence()
                        && equal(output.payloads(), message.payloads()));
        if (!wasDecided) {
            violated(Violation.MADE_UP, message + " in " + queue);
        }
    }

    private static boolean equal(List<byte[]> some, List<byte[]> others) {
        return Arrays.deepEquals(some.toArray(), others.toArray());
    }
}

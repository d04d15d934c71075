package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.ConsumerStart;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.queue.UnknownConsumerException;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Refused;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.sink.EffectFailedException;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of one copy of a handler (docs/exactly-once.md, section 3): looks at the state, does what its phase says, and tries
 * to change the state by compare-and-set. Whatever comes of that, it goes on from the state that there is then; it need not know
 * who made it. Used by one thread.
 */
final class HandlerProtocol<S> {

    private static final long NONE = -1;

    private final HandlerDefinition<S> definition;
    private final CalendarTime calendar;
    private final HandlerListener listener;
    private final GrowingPauses.Series idlePauses;
    private final GrowingPauses.Series failurePauses;
    private final Marks marks;

    /** The state of this version is SoleWriting, and this copy knows that all its outputs are written. */
    private long writtenVersion = NONE;

    /** The state of this version was written by this copy, so that its outputs are hardly there yet. */
    private long ownVersion = NONE;

    /** What the user's function threw with the present state. */
    private @Nullable Trouble trouble;

    private volatile Optional<Snapshot> lastSeen = Optional.empty();

    /** How often the function threw with a state, and how often of these it had one message alone. */
    private record Trouble(long version, int failures, int failuresAlone) {}

    HandlerProtocol(HandlerDefinition<S> definition, CalendarTime calendar, Pauser pauser, HandlerListener listener) {
        this.definition = definition;
        this.calendar = calendar;
        this.listener = listener;
        idlePauses = definition.idlePauses.begin(pauser);
        failurePauses = definition.failurePauses.begin(pauser);
        marks = new Marks(definition);
    }

    /** Runs until it is interrupted or fails for good. */
    void run() throws InterruptedException {
        Snapshot seen = first();
        while (true) {
            lastSeen = Optional.of(seen);
            seen = next(seen);
        }
    }

    Optional<Snapshot> lastSeen() {
        return lastSeen;
    }

    private Snapshot next(Snapshot seen) throws InterruptedException {
        Phase phase = seen.state().phase();
        Optional<String> unknown = phase.names().stream()
                .filter(name -> !definition.outputs.containsKey(name) && !definition.effects.containsKey(name))
                .findFirst();
        if (unknown.isPresent()) {
            listener.standingBy(
                    definition.name, "the state names " + unknown.get() + ", which this copy is not configured with");
            idlePauses.pause();
            return newer(seen, readAgain(seen));
        }
        if (phase instanceof Phase.Preparing preparing) {
            return prepare(seen, preparing);
        }
        if (phase instanceof Phase.Writing writing) {
            return write(seen, writing);
        }
        if (phase instanceof Phase.Effect effect) {
            return makeEffect(seen, effect);
        }
        if (phase instanceof Phase.SoleWriting writing && writtenVersion != seen.version()) {
            return writeAsSoleProducer(seen, writing);
        }
        return handle(seen);
    }

    // The state: read, committed, begun.

    private Snapshot first() throws InterruptedException {
        return ofStored(definition.register.read());
    }

    /** A state that is not older than one that was seen: reads may be old. */
    private Snapshot readAgain(Snapshot seen) throws InterruptedException {
        StoredValue stored = definition.register.read();
        return stored.version() <= seen.version() ? seen : ofStored(stored);
    }

    private Snapshot ofStored(StoredValue stored) throws InterruptedException {
        StoredValue present = stored;
        while (true) {
            if (present.version() == 0) {
                present = definition
                        .register
                        .compareAndSet(0, initialState().toBytes())
                        .present();
            } else if (!HandlerState.isKnown(present.value())) {
                present = standBy("the state's own format is of a later version of this library");
            } else {
                HandlerState state = HandlerState.ofBytes(definition.name, present.value());
                if (definition.codec.knows(state.format())) {
                    return new Snapshot(present.version(), state);
                }
                present = standBy("the state has format " + state.format() + ", which this copy does not know");
            }
        }
    }

    /** A copy that does not know the format of the state leaves the work to those that do. */
    private StoredValue standBy(String why) throws InterruptedException {
        listener.standingBy(definition.name, why);
        idlePauses.pause();
        return definition.register.read();
    }

    private HandlerState initialState() throws InterruptedException {
        return fitting(new HandlerState(
                definition.codec.format(),
                Bytes.of(definition.codec.encode(definition.initialState.get())),
                0,
                calendar.epochMillis(),
                startsOf(definition.inputs.values().stream()
                        .map(MessageQueue::name)
                        .toList()),
                new TreeMap<>(),
                0,
                new Phase.Handling()));
    }

    /** Registers this handler as a consumer. The mark of one that has no state yet stands where it was set. */
    private SortedMap<String, InputPosition> startsOf(List<String> queues) throws InterruptedException {
        SortedMap<String, InputPosition> starts = new TreeMap<>();
        for (String queue : new TreeSet<>(queues)) {
            ConsumerStart start = input(queue).addConsumer(definition.name);
            starts.put(queue, new InputPosition(start.index(), start.check()));
        }
        return starts;
    }

    /** What a compare-and-set of the state has led to. Refused and overtaken are alike: the state is another one. */
    private record Change(Snapshot present, CompareAndSetOutcome outcome) {

        boolean applied() {
            return outcome instanceof Applied;
        }

        /** Nobody knows whether an overtaken one was applied. */
        boolean perhapsApplied() {
            return !(outcome instanceof Refused);
        }
    }

    private Change change(Snapshot seen, HandlerState next) throws InterruptedException {
        CompareAndSetOutcome outcome = definition.register.compareAndSet(seen.version(), next.toBytes());
        if (outcome instanceof Applied) {
            idlePauses.reset();
            failurePauses.reset();
            ownVersion = seen.version() + 1;
            return new Change(new Snapshot(ownVersion, next), outcome);
        }
        listener.stepRefused(definition.name);
        return new Change(ofStored(outcome.present()), outcome);
    }

    private Snapshot changed(Snapshot seen, HandlerState next) throws InterruptedException {
        return change(seen, next).present();
    }

    // HANDLING

    private Snapshot handle(Snapshot seen) throws InterruptedException {
        List<String> unknown = definition.inputs.keySet().stream()
                .filter(queue -> !seen.state().inputs().containsKey(queue))
                .toList();
        if (!unknown.isEmpty()) {
            return addInputs(seen, startsOf(unknown));
        }
        marks.raiseThoseFarBehind(seen);
        Taking taking = new Taking(seen);
        if (taking.gone) {
            return afterGoneCell(seen);
        }
        if (taking.inputs.isEmpty()) {
            return idle(seen);
        }
        return decide(seen, taking);
    }

    private Snapshot addInputs(Snapshot seen, SortedMap<String, InputPosition> starts) throws InterruptedException {
        HandlerState next;
        try {
            next = fitting(afterWriting(seen).withInputs(starts));
        } catch (IllegalArgumentException e) {
            return failedWithoutInputs(seen, e);
        }
        return changed(seen, next);
    }

    /** What the state is once its outputs are written: SoleWriting is followed by HANDLING directly. */
    private static HandlerState afterWriting(Snapshot seen) {
        return seen.state().with(new Phase.Handling());
    }

    private Snapshot idle(Snapshot seen) throws InterruptedException {
        listener.idle(definition.name);
        marks.raiseAll(seen);
        idlePauses.pause();
        return newer(seen, readAgain(seen));
    }

    private Snapshot newer(Snapshot before, Snapshot now) {
        if (now.version() > before.version()) {
            idlePauses.reset();
            failurePauses.reset();
        }
        return now;
    }

    /**
     * A cell is gone: the state is old, or this handler was not registered at the queue. If a compare-and-set shows that the state
     * is the present one, though the cell was gone before it, it was not.
     */
    private Snapshot afterGoneCell(Snapshot seen) throws InterruptedException {
        Snapshot read = readAgain(seen);
        if (read.version() > seen.version()) {
            return read;
        }
        Change confirmed = change(seen, afterWriting(seen));
        if (confirmed.applied()) {
            marks.requireRegistered(confirmed.present());
            throw new UnknownConsumerException("Handler " + definition.name + " has not taken a message at "
                    + confirmed.present().state().inputs()
                    + " that was cleaned: it was not registered as a consumer of the queue"
                    + " when the message was cleaned, or its state was restored from a backup. Messages are lost to it; begin"
                    + " again under a new name");
        }
        return confirmed.present();
    }

    /** The messages that a step takes, and where the inputs are after it. */
    private final class Taking {

        final List<Input> inputs = new ArrayList<>();
        final SortedMap<String, InputPosition> after;
        final List<SequenceViolation> violations = new ArrayList<>();
        boolean gone;

        Taking(Snapshot seen) throws InterruptedException {
            after = new TreeMap<>(seen.state().inputs());
            boolean alone = trouble != null && trouble.version() == seen.version();
            for (String queue : new TreeSet<>(definition.inputs.keySet())) {
                take(queue, alone ? 1 : definition.maxInputs);
                if (alone && !inputs.isEmpty()) {
                    return;
                }
            }
        }

        /** A reader never goes past an absent cell. */
        private void take(String queue, int most) throws InterruptedException {
            for (int taken = 0; taken < most; taken++) {
                InputPosition position = position(queue);
                Cell cell = input(queue).get(position.index());
                if (cell instanceof Cell.Full full) {
                    take(queue, position, full.message());
                } else {
                    gone |= cell instanceof Cell.Gone;
                    return;
                }
            }
        }

        private InputPosition position(String queue) {
            InputPosition position = after.get(queue);
            if (position == null) {
                throw new IllegalStateException("The state knows no input queue " + queue);
            }
            return position;
        }

        private void take(String queue, InputPosition position, Message message) {
            position.check().violation(queue, position.index(), message.id()).ifPresent(this::violated);
            inputs.add(new Input(queue, position.index(), message));
            after.put(queue, position.after(message.id()));
        }

        private void violated(SequenceViolation violation) {
            if (definition.onViolation == HandlerDefinition.OnViolation.STOP) {
                throw new SequenceViolationException(violation);
            }
            violations.add(violation);
        }
    }

    /** One compare-and-set decides inputs, new state, outputs and their sequences. */
    private Snapshot decide(Snapshot seen, Taking taking) throws InterruptedException {
        HandlerState next;
        try {
            long time = Math.max(seen.state().time(), calendar.epochMillis());
            HandlerResult<S> result =
                    definition.handler.handle(userState(seen), new Inputs(taking.inputs), Instant.ofEpochMilli(time));
            next = decided(seen.state().withInputs(taking.after), result, time);
        } catch (Throwable e) {
            return functionFailed(seen, taking, e);
        }
        Change change = change(seen, next);
        if (change.applied()) {
            listener.stepCommitted(definition.name, next.step(), taking.inputs.size());
        }
        tellViolations(change, taking);
        return change.present();
    }

    private S userState(Snapshot seen) {
        return definition.codec.decode(
                seen.state().format(), seen.state().userState().array());
    }

    private HandlerState decided(HandlerState state, HandlerResult<S> result, long time) {
        SortedMap<String, Long> sequences = new TreeMap<>(state.sequences());
        long effects = state.effects();
        Phase phase;
        if (result.effect().isPresent()) {
            HandlerResult.RequestedEffect effect = result.effect().get();
            sink(effect.sink());
            phase = new Phase.Effect(effect.sink(), effect.key(), effects++, effect.request());
        } else {
            phase = Phase.ofOutputs(new OutputGroups(definition, sequences).of(result.outputs()), 0);
        }
        return fitting(new HandlerState(
                definition.codec.format(),
                Bytes.of(definition.codec.encode(result.state())),
                state.step() + 1,
                time,
                state.inputs(),
                sequences,
                effects,
                phase));
    }

    /** Checks the length of a state. A store would refuse one that is too long, and that would end every copy. */
    private HandlerState fitting(HandlerState next) {
        int length = next.toBytes().length;
        if (length > definition.maxStateBytes) {
            throw new IllegalArgumentException("The state of handler " + definition.name + " has " + length
                    + " bytes with the outputs of the step, more than " + definition.maxStateBytes
                    + ": take fewer inputs in a step, keep less in the state, or raise maxStateBytes (at most "
                    + HandlerDefinition.MOST_STATE_BYTES + ")");
        }
        return next;
    }

    /** The state is read again after a pause, since another copy may have been able to do it. */
    private Snapshot functionFailed(Snapshot seen, Taking taking, Throwable cause) throws InterruptedException {
        int before = trouble != null && trouble.version() == seen.version() ? trouble.failures() : 0;
        int alone = before > 0 && trouble != null ? trouble.failuresAlone() : 0;
        trouble = new Trouble(seen.version(), before + 1, taking.inputs.size() == 1 ? alone + 1 : alone);
        report(trouble.failures(), cause);
        if (definition.parking.isPresent()
                && taking.inputs.size() == 1
                && trouble.failuresAlone() >= definition.parking.get().attempts()) {
            return park(seen, taking, definition.parking.get(), cause);
        }
        failurePauses.pause();
        return newer(seen, readAgain(seen));
    }

    private void report(int failures, Throwable cause) throws InterruptedException {
        listener.functionFailed(definition.name, failures, cause);
        if (cause instanceof InterruptedException interrupted) {
            throw interrupted;
        }
    }

    /** Takes the message without the user's function, which does not change the user's state, and puts it aside. */
    private Snapshot park(Snapshot seen, Taking taking, HandlerDefinition.Parking parking, Throwable cause)
            throws InterruptedException {
        Input input = taking.inputs.get(0);
        HandlerState state = seen.state();
        SortedMap<String, Long> sequences = new TreeMap<>(state.sequences());
        List<Output> outputs = new OutputGroups(definition, sequences).parked(parking.queue(), input, cause);
        HandlerState next;
        try {
            next = fitting(new HandlerState(
                    state.format(),
                    state.userState(),
                    state.step() + 1,
                    Math.max(state.time(), calendar.epochMillis()),
                    taking.after,
                    sequences,
                    state.effects(),
                    Phase.ofOutputs(outputs, 0)));
        } catch (IllegalArgumentException e) {
            return cannotPark(seen, input, e);
        }
        Change change = change(seen, next);
        if (change.applied()) {
            listener.stepCommitted(definition.name, next.step(), 1);
            listener.parked(definition.name, input, cause);
        }
        tellViolations(change, taking);
        return change.present();
    }

    /** The message waits, and is tried again: it would be lost if it were taken without being put aside. */
    private Snapshot cannotPark(Snapshot seen, Input input, IllegalArgumentException tooLong)
            throws InterruptedException {
        listener.functionFailed(
                definition.name,
                trouble == null ? 1 : trouble.failures(),
                new IllegalStateException(
                        "The message at index " + input.index() + " of queue " + input.queue()
                                + " cannot be put aside, since handler " + definition.name
                                + " has no room for it beside its state: " + tooLong.getMessage(),
                        tooLong));
        failurePauses.pause();
        return newer(seen, readAgain(seen));
    }

    /** Rather told twice than not at all. */
    private void tellViolations(Change change, Taking taking) {
        if (change.perhapsApplied()) {
            taking.violations.forEach(violation -> listener.sequenceViolated(definition.name, violation));
        }
    }

    // EFFECT

    private Snapshot makeEffect(Snapshot seen, Phase.Effect effect) throws InterruptedException {
        HandlerState next;
        try {
            Optional<Bytes> result =
                    sink(effect.sink()).apply(effect.key(), definition.name, effect.sequence(), effect.request());
            if (result.isEmpty()) {
                idlePauses.pause();
                return newer(seen, readAgain(seen));
            }
            next = afterEffect(seen, effect, result.get());
        } catch (EffectFailedException | FunctionFailedException e) {
            return failedWithoutInputs(seen, e.getCause() == null ? e : e.getCause());
        }
        return changed(seen, next);
    }

    private HandlerState afterEffect(Snapshot seen, Phase.Effect effect, Bytes result) {
        long time = Math.max(seen.state().time(), calendar.epochMillis());
        try {
            HandlerResult<S> after = definition.handler.afterEffect(
                    userState(seen), effect.request(), result, Instant.ofEpochMilli(time));
            return decided(seen.state(), after, time);
        } catch (Throwable e) {
            throw new FunctionFailedException(e);
        }
    }

    /** Keeps what the user's function threw apart from what the store throws. */
    private static final class FunctionFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        FunctionFailedException(Throwable cause) {
            super(cause);
        }
    }

    private Snapshot failedWithoutInputs(Snapshot seen, Throwable cause) throws InterruptedException {
        int before = trouble != null && trouble.version() == seen.version() ? trouble.failures() : 0;
        trouble = new Trouble(seen.version(), before + 1, 0);
        report(trouble.failures(), cause);
        failurePauses.pause();
        return newer(seen, readAgain(seen));
    }

    // PREPARING

    private Snapshot prepare(Snapshot seen, Phase.Preparing preparing) throws InterruptedException {
        Output output = preparing.outputs().get(preparing.position());
        long index = output(output.queue()).nextIndex();
        return changed(seen, seen.state().with(new Phase.Writing(preparing.outputs(), preparing.position(), index)));
    }

    // WRITING

    private Snapshot write(Snapshot seen, Phase.Writing writing) throws InterruptedException {
        Output output = writing.outputs().get(writing.position());
        PushAnswer answer = isThere(seen, output, writing.index())
                ? new PushAnswer.Pushed()
                : output(output.queue()).pushAt(writing.index(), messageOf(output));
        if (answer instanceof PushAnswer.RingFull full) {
            return waitForRing(seen, output, full);
        }
        listener.ringFreed(definition.name, output.queue());
        Phase next = answer instanceof PushAnswer.Pushed
                ? Phase.ofOutputs(writing.outputs(), writing.position() + 1)
                : new Phase.Preparing(writing.outputs(), writing.position());
        return changed(seen, seen.state().with(next));
    }

    private Snapshot writeAsSoleProducer(Snapshot seen, Phase.SoleWriting writing) throws InterruptedException {
        for (Output output :
                writing.outputs().subList(writing.position(), writing.outputs().size())) {
            PushAnswer answer = isThere(seen, output, output.sequence())
                    ? new PushAnswer.Pushed()
                    : output(output.queue()).pushAsSoleProducer(messageOf(output));
            if (answer instanceof PushAnswer.RingFull full) {
                return waitForRing(seen, output, full);
            }
            if (answer instanceof PushAnswer.Taken) {
                throw new TwoProducersException("Queue " + output.queue() + " has another message at index "
                        + output.sequence() + ", though handler " + definition.name
                        + " is configured as its only producer: another producer pushes to it, too, or did before."
                        + " Give each its own queue, or make the output of both an ordinary one");
            }
            listener.ringFreed(definition.name, output.queue());
        }
        writtenVersion = seen.version();
        return seen;
    }

    private Snapshot waitForRing(Snapshot seen, Output output, PushAnswer.RingFull full) throws InterruptedException {
        listener.ringFull(definition.name, output.queue(), full.slowest());
        marks.raiseAll(seen);
        idlePauses.pause();
        return newer(seen, readAgain(seen));
    }

    /** What another copy has decided it has probably pushed, too. A read costs less than a compare-and-set, and "there" is final. */
    private boolean isThere(Snapshot seen, Output output, long index) throws InterruptedException {
        return seen.version() != ownVersion
                && output(output.queue()).get(index) instanceof Cell.Full full
                && full.message().id().equals(messageOf(output).id());
    }

    private Message messageOf(Output output) {
        return new Message(MessageId.of(definition.name, output.sequence()), output.payloads());
    }

    // What the definition names.

    private MessageQueue input(String queue) {
        return named(definition.inputs, queue, "input queue");
    }

    private MessageQueue output(String queue) {
        return named(definition.outputs, queue, "output queue");
    }

    private RegisterSink sink(String sink) {
        return named(definition.effects, sink, "sink");
    }

    private <T> T named(Map<String, T> all, String name, String what) {
        T found = all.get(name);
        if (found == null) {
            throw new IllegalStateException("Handler " + definition.name + " has no " + what + " named " + name
                    + " in this copy: configure the same in all copies");
        }
        return found;
    }
}

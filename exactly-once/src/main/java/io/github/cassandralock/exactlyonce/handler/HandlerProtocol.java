package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import io.github.cassandralock.exactlyonce.queue.UnknownConsumerException;
import io.github.cassandralock.exactlyonce.sink.EffectFailedException;
import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The protocol of one copy of a handler (docs/exactly-once.md, section 3): looks at the state, does what its phase says, and tries
 * to change the state by compare-and-set. Whatever comes of that, it goes on from the state that there is then; it need not know
 * who made it. Used by one thread.
 */
final class HandlerProtocol<S> {

    private final HandlerDefinition<S> definition;
    private final CalendarTime calendar;
    private final HandlerListener listener;
    private final StateRegister<S> register;
    private final Marks marks;
    private final OutputWriting outputs;

    private Failures failures = Failures.none(0);

    private volatile Optional<Snapshot> lastSeen = Optional.empty();

    /**
     * How often the function threw with a state.
     *
     * @param alone the message that it had alone when it last had one alone, by queue and index
     * @param countAlone how often in succession it threw with that one
     */
    private record Failures(long version, int count, String alone, int countAlone) {

        static Failures none(long version) {
            return new Failures(version, 0, "", 0);
        }

        Failures with(Snapshot state) {
            return version == state.version() ? this : none(state.version());
        }

        Failures failed() {
            return new Failures(version, count + 1, alone, countAlone);
        }

        Failures failedWith(List<Input> inputs) {
            if (inputs.size() > 1) {
                return failed();
            }
            String message = inputs.get(0).queue() + " " + inputs.get(0).index();
            return new Failures(version, count + 1, message, message.equals(alone) ? countAlone + 1 : 1);
        }
    }

    HandlerProtocol(HandlerDefinition<S> definition, CalendarTime calendar, Pauser pauser, HandlerListener listener) {
        this.definition = definition;
        this.calendar = calendar;
        this.listener = listener;
        register = new StateRegister<>(definition, calendar, pauser, listener);
        marks = new Marks(definition);
        outputs = new OutputWriting(definition, register, listener, marks);
    }

    /**
     * Runs until it is interrupted or fails for good.
     *
     * @param isClosed asked before each step, so that it also ends if the user's function has swallowed the interrupt
     */
    void run(BooleanSupplier isClosed) throws InterruptedException {
        Snapshot seen = register.first();
        while (!isClosed.getAsBoolean()) {
            lastSeen = Optional.of(seen);
            seen = next(seen);
        }
    }

    Optional<Snapshot> lastSeen() {
        return lastSeen;
    }

    private Snapshot next(Snapshot seen) throws InterruptedException {
        Phase phase = seen.state().phase();
        Optional<String> unknown = unknown(phase);
        if (unknown.isPresent()) {
            listener.standingBy(
                    definition.name, "the state names " + unknown.get() + ", which this copy is not configured with");
            return register.afterIdlePause(seen);
        }
        if (phase instanceof Phase.Preparing preparing) {
            return outputs.prepare(seen, preparing);
        }
        if (phase instanceof Phase.Writing writing) {
            return outputs.write(seen, writing);
        }
        if (phase instanceof Phase.Effect effect) {
            return makeEffect(seen, effect);
        }
        if (phase instanceof Phase.SoleWriting writing && !outputs.isWritten(seen, writing)) {
            return outputs.writeAsSoleProducer(seen, writing);
        }
        return handle(seen);
    }

    /** The queue or the sink of the phase that this copy does not have: another version of the program decided the step. */
    private Optional<String> unknown(Phase phase) {
        Optional<String> queue = phase.queues().stream()
                .filter(name -> !definition.outputs.containsKey(name))
                .findFirst();
        return queue.or(() -> phase.neededSink().filter(name -> !definition.effects.containsKey(name)));
    }

    // HANDLING

    private Snapshot handle(Snapshot seen) throws InterruptedException {
        List<String> unknown = definition.inputs.keySet().stream()
                .filter(queue -> !seen.state().inputs().containsKey(queue))
                .toList();
        if (!unknown.isEmpty()) {
            return addInputs(seen, register.startsOf(unknown));
        }
        marks.raiseThoseFarBehind(seen);
        Taking taking = Taking.read(definition, seen, hasFailedWith(seen));
        if (taking.isGone()) {
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
            next = register.fitting(afterWriting(seen).withInputs(starts));
        } catch (IllegalArgumentException e) {
            return failedWithoutInputs(seen, e);
        }
        return register.change(seen, next).present();
    }

    /** What the state is once its outputs are written: SoleWriting is followed by HANDLING directly. */
    private static HandlerState afterWriting(Snapshot seen) {
        return seen.state().with(new Phase.Handling());
    }

    private Snapshot idle(Snapshot seen) throws InterruptedException {
        listener.idle(definition.name);
        marks.raiseAll(seen);
        return register.afterIdlePause(seen);
    }

    /**
     * A cell is gone: the state is old, or this handler was not registered at the queue. If a compare-and-set shows that the state
     * is the present one, though the cell was gone before it, it was not.
     */
    private Snapshot afterGoneCell(Snapshot seen) throws InterruptedException {
        Snapshot read = register.readAgain(seen);
        if (read.version() > seen.version()) {
            return read;
        }
        StateRegister.Change confirmed = register.change(seen, afterWriting(seen));
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
        StateRegister.Change change = committed(seen, next, taking.inputs.size());
        tellViolations(change, taking);
        return change.present();
    }

    /** Tries to commit a step. */
    private StateRegister.Change committed(Snapshot seen, HandlerState next, int messages) throws InterruptedException {
        StateRegister.Change change = register.change(seen, next);
        if (change.applied()) {
            listener.stepCommitted(definition.name, next.step(), messages);
        }
        return change;
    }

    private S userState(Snapshot seen) {
        return definition.codec.decode(
                seen.state().format(), seen.state().userState().array());
    }

    private HandlerState decided(HandlerState state, HandlerResult<S> result, long time) {
        Objects.requireNonNull(result, "The function returned null, not a HandlerResult");
        SortedMap<String, Long> sequences = new TreeMap<>(state.sequences());
        long effects = state.effects();
        Phase phase;
        if (result.effect().isPresent()) {
            HandlerResult.RequestedEffect effect = result.effect().get();
            definition.sink(effect.sink());
            phase = new Phase.Effect(effect.sink(), effect.key(), effects++, effect.request());
        } else {
            phase = Phase.ofOutputs(new OutputGroups(definition, sequences).of(result.outputs()), 0);
        }
        return register.fitting(new HandlerState(
                definition.codec.format(),
                Bytes.of(definition.codec.encode(result.state())),
                state.step() + 1,
                time,
                state.inputs(),
                sequences,
                effects,
                phase));
    }

    /** Then messages are tried one at a time. */
    private boolean hasFailedWith(Snapshot seen) {
        return failures.with(seen).count() > 0;
    }

    /** The state is read again after a pause, since another copy may have been able to do it. */
    private Snapshot functionFailed(Snapshot seen, Taking taking, Throwable cause) throws InterruptedException {
        failures = failures.with(seen).failedWith(taking.inputs);
        tell(failures.count(), cause);
        if (definition.parking.isPresent()
                && taking.inputs.size() == 1
                && failures.countAlone() >= definition.parking.get().attempts()) {
            return park(seen, taking, definition.parking.get(), cause);
        }
        return register.afterFailurePause(seen);
    }

    /** An interrupt is not for the function alone: it closes the copy. */
    private void tell(int failed, Throwable cause) throws InterruptedException {
        listener.functionFailed(definition.name, failed, cause);
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
        List<Output> parked = new OutputGroups(definition, sequences).parked(parking.queue(), input, cause);
        HandlerState next;
        try {
            next = register.fitting(new HandlerState(
                    state.format(),
                    state.userState(),
                    state.step() + 1,
                    Math.max(state.time(), calendar.epochMillis()),
                    taking.after,
                    sequences,
                    state.effects(),
                    Phase.ofOutputs(parked, 0)));
        } catch (IllegalArgumentException e) {
            return cannotPark(seen, input, e);
        }
        StateRegister.Change change = committed(seen, next, 1);
        if (change.applied()) {
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
                failures.count(),
                new IllegalStateException(
                        "The message at index " + input.index() + " of queue " + input.queue()
                                + " cannot be put aside, since handler " + definition.name
                                + " has no room for it beside its state: " + tooLong.getMessage(),
                        tooLong));
        return register.afterFailurePause(seen);
    }

    /** Rather told twice than not at all. */
    private void tellViolations(StateRegister.Change change, Taking taking) {
        if (change.perhapsApplied()) {
            taking.violations.forEach(violation -> listener.sequenceViolated(definition.name, violation));
        }
    }

    // EFFECT

    private Snapshot makeEffect(Snapshot seen, Phase.Effect effect) throws InterruptedException {
        HandlerState next;
        try {
            Optional<Bytes> result = definition
                    .sink(effect.sink())
                    .apply(effect.key(), definition.name, effect.sequence(), effect.request());
            if (result.isEmpty()) {
                return afterLaterEffect(seen, effect);
            }
            next = afterEffect(seen, effect, result.get());
        } catch (EffectFailedException | FunctionFailedException e) {
            return failedWithoutInputs(seen, e.getCause() == null ? e : e.getCause());
        }
        return committed(seen, next, 0).present();
    }

    /**
     * The sink has a later effect of this handler: the state is old, or the effect is not of this state. If a compare-and-set shows
     * that the state is the present one, it is not.
     */
    private Snapshot afterLaterEffect(Snapshot seen, Phase.Effect effect) throws InterruptedException {
        return register.changedSince(seen)
                .orElseThrow(() -> new IllegalStateException("Handler " + definition.name + " is at its effect "
                        + effect.sequence() + ", but register " + effect.key() + " of sink " + effect.sink()
                        + " has a later one of this handler:"
                        + " its name was used before, with another state, or its state was restored from a backup. Begin"
                        + " again under a new name"));
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
        failures = failures.with(seen).failed();
        tell(failures.count(), cause);
        return register.afterFailurePause(seen);
    }
}

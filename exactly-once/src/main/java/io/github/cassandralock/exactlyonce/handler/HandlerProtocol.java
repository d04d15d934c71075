package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.copy.Branches;
import io.github.cassandralock.exactlyonce.copy.UserCode;
import io.github.cassandralock.exactlyonce.copy.UserFailures;
import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.OvertakenException;
import io.github.cassandralock.exactlyonce.queue.UnknownConsumerException;
import io.github.cassandralock.exactlyonce.sink.EffectFailedException;
import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.Pauser;
import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;

/**
 * The protocol of one copy of a handler (docs/exactly-once.md, section 3). It reads the state, does what the phase requires, and
 * tries to change the state by compare-and-set. Whatever the outcome, it continues from the state that is then present, even if
 * another copy wrote it. Used by one thread.
 */
final class HandlerProtocol<S> {

    private final HandlerDefinition<S> definition;
    private final CalendarTime calendar;
    private final HandlerListener listener;
    private final Counterparts counterparts;
    private final StateRegister<S> register;
    private final Marks marks;
    private final OutputWriting outputs;
    private final FollowingState<S> following;
    private final Optional<ParkingRule> parkingRule;

    /** How often the function threw with the version of the state below. */
    private int failures;

    private long failedVersion;

    /** The last version that left this copy nothing to do. */
    private long idleVersion;

    private volatile Optional<Snapshot> lastSeen = Optional.empty();

    HandlerProtocol(
            HandlerDefinition<S> definition,
            CalendarTime calendar,
            Pauser pauser,
            Ticker ticker,
            Branches branches,
            HandlerListener listener) {
        this.definition = definition;
        this.calendar = calendar;
        this.listener = listener;
        counterparts = new Counterparts(definition);
        register = new StateRegister<>(definition, counterparts, calendar, pauser, listener);
        marks = new Marks(definition);
        outputs = new OutputWriting(definition, register, listener, marks, branches);
        following = new FollowingState<>(definition);
        parkingRule = definition.parking.map(parking -> new ParkingRule(definition, parking, ticker));
    }

    /**
     * Runs until it is interrupted or fails permanently.
     *
     * @param isClosed tested before each step, so that the copy ends even if its interrupt was swallowed
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
        try {
            return counterparts.areAttached() ? doPhase(seen) : attach(seen);
        } catch (OvertakenException e) {
            return afterOvertaken(seen, e);
        }
    }

    /** It is unknown whether an output was there: the state is old, or all copies stood still for long. */
    private Snapshot afterOvertaken(Snapshot seen, OvertakenException cause) throws InterruptedException {
        return register.changedSince(seen).orElseThrow(() -> cause);
    }

    /** Ensures that the state and its queues and sinks belong together, before anything else. */
    private Snapshot attach(Snapshot seen) throws InterruptedException {
        HandlerState joined = counterparts.joined(seen.state());
        if (!joined.equals(seen.state())) {
            return joined(seen, joined);
        }
        if (!counterparts.attach(seen.state())) {
            return seen;
        }
        return register.changedSince(seen).orElseThrow(() -> counterparts.restored(seen.state()));
    }

    private Snapshot joined(Snapshot seen, HandlerState joined) throws InterruptedException {
        HandlerState next;
        try {
            next = register.fitting(joined);
        } catch (IllegalArgumentException e) {
            return failedWithoutInputs(seen, e);
        }
        return register.change(seen, next).present();
    }

    private Snapshot doPhase(Snapshot seen) throws InterruptedException {
        Phase phase = seen.state().phase();
        Optional<String> unknown = unknown(phase);
        if (unknown.isPresent()) {
            listener.onStandingBy(
                    definition.name,
                    "the state names " + unknown.get()
                            + ", which this copy is not configured with. Outputs or an effect are perhaps not written"
                            + " there yet. Configure it here, too, until the handler has nothing to do");
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

    /** A queue or sink of the phase that this copy does not have. Another version of the program decided the step. */
    private Optional<String> unknown(Phase phase) {
        Optional<String> queue = phase.queues().stream()
                .filter(name -> !definition.outputs.containsKey(name))
                .findFirst();
        return queue.or(() -> phase.neededSink().filter(name -> !definition.effects.containsKey(name)));
    }

    // HANDLING

    private Snapshot handle(Snapshot seen) throws InterruptedException {
        if (parkingRule.isPresent()) {
            parkingRule.get().beat();
        }
        marks.raiseThoseFarBehind(seen);
        boolean alone = hasFailedWith(seen);
        Taking taking = Taking.read(definition, seen, alone, alone && isParkingFull(seen));
        if (taking.isGone()) {
            return afterGoneCell(seen);
        }
        if (taking.inputs.isEmpty()) {
            return idle(seen);
        }
        return decide(seen, taking);
    }

    /** The state once its outputs are written: HANDLING follows SoleWriting directly. */
    private static HandlerState afterWriting(Snapshot seen) {
        return seen.state().with(new Phase.Handling());
    }

    private Snapshot idle(Snapshot seen) throws InterruptedException {
        listener.onIdle(definition.name);
        marks.raiseAll(seen);
        if (seen.version() == idleVersion && !isAtRest(seen)) {
            return register.change(seen, afterWriting(seen)).present();
        }
        idleVersion = seen.version();
        return register.afterIdlePause(seen);
    }

    private static boolean isAtRest(Snapshot seen) {
        return seen.state().phase() instanceof Phase.Handling;
    }

    /**
     * Removes written outputs from the state, so that it refers to no queue. A copy without the queue in its configuration would
     * stand by for ever. Called when this copy ends; other copies do it when they are idle.
     */
    void leaveAtRest() throws InterruptedException {
        Optional<Snapshot> seen = lastSeen;
        if (seen.isPresent()
                && seen.get().state().phase() instanceof Phase.SoleWriting writing
                && outputs.isWritten(seen.get(), writing)) {
            byte[] atRest = afterWriting(seen.get()).toBytes();
            definition.registerOfOneRequest.compareAndSet(seen.get().version(), atRest);
        }
    }

    /**
     * A cell is gone: the state is old, or this handler was not registered at the queue. It was not registered if a compare-and-set
     * shows that the state is the present one.
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
                    + " that was cleaned. The handler was not registered at the queue at that time, or its state was"
                    + " restored from a backup. Messages are lost to it; begin again under a new name");
        }
        return confirmed.present();
    }

    /** One compare-and-set decides inputs, new state, outputs and their sequences. */
    private Snapshot decide(Snapshot seen, Taking taking) throws InterruptedException {
        S userState = following.userState(seen.state());
        HandlerState next;
        try {
            next = handled(seen, userState, taking.inputs, taking.after);
        } catch (Throwable e) {
            return functionFailed(seen, taking, e);
        }
        StateRegister.Change change = committed(seen, next, taking.inputs.size());
        tellViolations(change, taking);
        return change.present();
    }

    /** Calls the user's function, and returns the state that follows. */
    private HandlerState handled(Snapshot seen, S userState, List<Input> inputs, SortedMap<String, InputPosition> after)
            throws Exception {
        long time = time(seen);
        HandlerResult<S> result =
                UserCode.call(() -> definition.handler.handle(userState, shown(inputs), Instant.ofEpochMilli(time)));
        return decided(seen.state().withInputs(after), result, time);
    }

    /** The calendar's time, or the state's if that is later: the time of a handler does not go back. */
    private long time(Snapshot seen) {
        return Math.max(seen.state().time(), calendar.readEpochMillis());
    }

    private static Inputs shown(List<Input> inputs) {
        return new Inputs(inputs.stream().map(HandlerProtocol::original).toList());
    }

    /** The user's function sees a parked message that was sent again as it was at first. */
    private static Input original(Input input) {
        return HandlerDefinition.isNameOfAgain(input.queue())
                ? ParkedMessage.of(
                                input.index(),
                                ParkedMessage.Status.DONE,
                                input.message().payloads())
                        .map(ParkedMessage::asInput)
                        .orElse(input)
                : input;
    }

    private StateRegister.Change committed(Snapshot seen, HandlerState next, int messages) throws InterruptedException {
        StateRegister.Change change = register.change(seen, next);
        if (change.applied()) {
            listener.onStepCommitted(definition.name, next.step(), messages);
        }
        return change;
    }

    private HandlerState decided(HandlerState state, HandlerResult<S> result, long time) {
        return register.fitting(following.afterResult(state, result, time));
    }

    /** After a failure, messages are tried one at a time. */
    private boolean hasFailedWith(Snapshot seen) {
        return seen.version() == failedVersion;
    }

    /**
     * Whether the parking ring has no room for the next message of this state. An old read shows no room that is not there. Those
     * sent again are taken first then: two full rings would wait for each other.
     */
    private boolean isParkingFull(Snapshot seen) throws InterruptedException {
        if (definition.parking.isEmpty()) {
            return false;
        }
        MessageQueue parking = definition.output(definition.parking.get().queue());
        long next = seen.state().sequences().getOrDefault(parking.getName(), 0L);
        return !parking.getLayout().mayWrite(next, parking.readLowWater().index());
    }

    /** The state is read again after a pause, since another copy may have succeeded. */
    private Snapshot functionFailed(Snapshot seen, Taking taking, Throwable failure) throws InterruptedException {
        Throwable cause = UserFailures.describable(failure);
        countFailure(seen, cause);
        if (parkingRule.isEmpty() || taking.inputs.size() > 1) {
            return register.afterFailurePause(seen);
        }
        Input input = taking.inputs.get(0);
        ParkingRule.Finding finding = parkingRule.get().failed(seen, input, other -> succeedsWith(seen, other));
        if (finding instanceof ParkingRule.Finding.AtFault) {
            return park(seen, taking, cause);
        }
        if (finding instanceof ParkingRule.Finding.AllFail all) {
            listener.onAllMessagesFail(definition.name, all.messages(), all.lasting(), cause);
        }
        return register.afterFailurePause(seen);
    }

    /** Whether the function can handle another message with the present state. The result is discarded. */
    private boolean succeedsWith(Snapshot seen, Input other) throws InterruptedException {
        S userState = following.userState(seen.state());
        try {
            handled(seen, userState, List.of(other), seen.state().inputs());
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    /** Even an {@code InterruptedException} of the function is a failure. A closed copy ends at its next request or pause. */
    private void countFailure(Snapshot seen, Throwable cause) {
        failures = hasFailedWith(seen) ? failures + 1 : 1;
        failedVersion = seen.version();
        listener.onFunctionFailed(definition.name, failures, cause);
    }

    /** Takes the message without the user's function, and pushes it to the parking queue. The user's state does not change. */
    private Snapshot park(Snapshot seen, Taking taking, Throwable cause) throws InterruptedException {
        Input input = taking.inputs.get(0);
        HandlerState next;
        try {
            next = register.fitting(following.afterParking(seen.state(), taking, original(input), cause, time(seen)));
        } catch (IllegalArgumentException e) {
            return cannotPark(seen, input, e);
        }
        StateRegister.Change change = committed(seen, next, 1);
        if (change.applied()) {
            listener.onParked(definition.name, original(input), cause);
        }
        tellViolations(change, taking);
        return change.present();
    }

    /** The message waits and is tried again. It would be lost if it were taken without being parked. */
    private Snapshot cannotPark(Snapshot seen, Input input, IllegalArgumentException tooLong)
            throws InterruptedException {
        listener.onFunctionFailed(
                definition.name,
                failures,
                new IllegalStateException(
                        "The message at index " + input.index() + " of queue " + input.queue()
                                + " cannot be put aside. Handler " + definition.name
                                + " has no room for it beside its state: " + tooLong.getMessage(),
                        tooLong));
        return register.afterFailurePause(seen);
    }

    /** A violation is reported twice rather than never. */
    private void tellViolations(StateRegister.Change change, Taking taking) {
        if (change.perhapsApplied()) {
            taking.violations.forEach(violation -> listener.onSequenceViolated(definition.name, violation));
        }
    }

    // EFFECT

    private Snapshot makeEffect(Snapshot seen, Phase.Effect effect) throws InterruptedException {
        Optional<Bytes> result;
        try {
            result = definition
                    .sink(effect.sink())
                    .apply(effect.key(), definition.name, seen.state().birth(), effect.sequence(), effect.request());
        } catch (EffectFailedException e) {
            return failedWithoutInputs(seen, e.getCause() == null ? e : e.getCause());
        }
        return result.isPresent() ? followEffect(seen, effect, result.get()) : afterLaterEffect(seen, effect);
    }

    /**
     * The sink has a later effect of this handler: the state is old, or the effect belongs to another state. It belongs to another
     * state if a compare-and-set shows that this state is the present one.
     */
    private Snapshot afterLaterEffect(Snapshot seen, Phase.Effect effect) throws InterruptedException {
        return register.changedSince(seen)
                .orElseThrow(() -> new IllegalStateException("Handler " + definition.name + " is at its effect "
                        + effect.sequence() + ", but register " + effect.key() + " of sink " + effect.sink()
                        + " has a later effect of this handler. The handler's name was used before, with another state,"
                        + " or its state was restored from a backup. Begin again under a new name"));
    }

    private Snapshot followEffect(Snapshot seen, Phase.Effect effect, Bytes result) throws InterruptedException {
        S userState = following.userState(seen.state());
        HandlerState next;
        try {
            next = afterEffect(seen, userState, effect, result);
        } catch (Throwable e) {
            return failedWithoutInputs(seen, e);
        }
        return committed(seen, next, 0).present();
    }

    private HandlerState afterEffect(Snapshot seen, S userState, Phase.Effect effect, Bytes result) throws Exception {
        long time = time(seen);
        HandlerResult<S> after = UserCode.call(
                () -> definition.handler.afterEffect(userState, effect.request(), result, Instant.ofEpochMilli(time)));
        return decided(seen.state(), after, time);
    }

    private Snapshot failedWithoutInputs(Snapshot seen, Throwable cause) throws InterruptedException {
        countFailure(seen, cause);
        return register.afterFailurePause(seen);
    }
}

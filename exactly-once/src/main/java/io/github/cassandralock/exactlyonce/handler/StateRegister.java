package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Refused;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The register with the state, which is all that the copies of a handler share, as one copy reads and changes it
 * (docs/exactly-once.md, section 3). A copy never goes back to an older state than it has seen. Used by one thread.
 */
final class StateRegister<S> {

    private static final long NONE = -1;

    private final HandlerDefinition<S> definition;
    private final CalendarTime calendar;
    private final HandlerListener listener;
    private final Counterparts counterparts;
    private final GrowingPauses.Series idlePauses;
    private final GrowingPauses.Series failurePauses;

    /** The last version that this copy has written. */
    private long ownVersion = NONE;

    StateRegister(
            HandlerDefinition<S> definition,
            Counterparts counterparts,
            CalendarTime calendar,
            Pauser pauser,
            HandlerListener listener) {
        this.definition = definition;
        this.counterparts = counterparts;
        this.calendar = calendar;
        this.listener = listener;
        idlePauses = definition.idlePauses.begin(pauser);
        failurePauses = definition.failurePauses.begin(pauser);
    }

    /** The present state; if there is none yet, the initial one is written. */
    Snapshot first() throws InterruptedException {
        return ofStored(definition.register.read());
    }

    /** A state that is not older than one that was seen: reads may be old. */
    Snapshot readAgain(Snapshot seen) throws InterruptedException {
        StoredValue stored = definition.register.read();
        return stored.version() <= seen.version() ? seen : ofStored(stored);
    }

    /** What the state is after a pause, for a copy that has nothing to do. */
    Snapshot afterIdlePause(Snapshot seen) throws InterruptedException {
        idlePauses.pause();
        return after(seen);
    }

    /** What the state is after a pause, for a copy that could not do what the state asks for. */
    Snapshot afterFailurePause(Snapshot seen) throws InterruptedException {
        failurePauses.pause();
        return after(seen);
    }

    private Snapshot after(Snapshot seen) throws InterruptedException {
        Snapshot now = readAgain(seen);
        if (now.version() > seen.version()) {
            resetPauses();
        }
        return now;
    }

    /** Something was done, so pauses begin with the first again. */
    void resetPauses() {
        idlePauses.reset();
        failurePauses.reset();
    }

    /** What a compare-and-set of the state has led to. Refused and overtaken are alike: the state is another one. */
    record Change(Snapshot present, CompareAndSetOutcome outcome) {

        boolean applied() {
            return outcome instanceof Applied;
        }

        /** Nobody knows whether an overtaken one was applied. */
        boolean perhapsApplied() {
            return !(outcome instanceof Refused);
        }
    }

    /** One compare-and-set. */
    Change change(Snapshot seen, HandlerState next) throws InterruptedException {
        CompareAndSetOutcome outcome = definition.register.compareAndSet(seen.version(), next.toBytes());
        if (outcome instanceof Applied) {
            resetPauses();
            ownVersion = seen.version() + 1;
            return new Change(new Snapshot(ownVersion, next), outcome);
        }
        listener.stepRefused(definition.name);
        return new Change(ofStored(outcome.present()), outcome);
    }

    /** The present state if it is another than the one that was seen; empty if a compare-and-set has shown that it is not. */
    Optional<Snapshot> changedSince(Snapshot seen) throws InterruptedException {
        Snapshot read = readAgain(seen);
        if (read.version() > seen.version()) {
            return Optional.of(read);
        }
        Change confirmed = change(seen, seen.state());
        return confirmed.applied() ? Optional.empty() : Optional.of(confirmed.present());
    }

    /** Whether this copy has written the state, so that its outputs are hardly there yet. */
    boolean isOwn(Snapshot seen) {
        return seen.version() == ownVersion;
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
                present = standBy(present, "the state's own format is of a later version of this library");
            } else {
                HandlerState state = HandlerState.ofBytes(definition.name, present.value());
                if (definition.codec.knows(state.format())) {
                    return new Snapshot(present.version(), state);
                }
                present =
                        standBy(present, "the state has format " + state.format() + ", which this copy does not know");
            }
        }
    }

    /** A copy that does not know the format of the state leaves the work to those that do. */
    private StoredValue standBy(StoredValue seen, String why) throws InterruptedException {
        listener.standingBy(definition.name, why);
        idlePauses.pause();
        StoredValue read = definition.register.read();
        return read.version() < seen.version() ? seen : read;
    }

    private HandlerState initialState() throws InterruptedException {
        return fitting(new HandlerState(
                definition.codec.format(),
                Bytes.of(definition.codec.encode(definition.initialState.get())),
                0,
                calendar.epochMillis(),
                counterparts.startsOf(definition.inputs.keySet()),
                new TreeMap<>(),
                0,
                new Phase.Handling(),
                Counterparts.newBirth(),
                counterparts.births()));
    }

    /**
     * Checks the length of a state. A store would refuse one that is too long, and that would end every copy.
     *
     * @throws IllegalArgumentException if it is too long
     */
    HandlerState fitting(HandlerState next) {
        int length = next.toBytes().length;
        if (length > definition.maxStateBytes) {
            throw new IllegalArgumentException("The state of handler " + definition.name + " has " + length
                    + " bytes with the outputs of the step, more than " + definition.maxStateBytes
                    + ": take fewer inputs in a step, keep less in the state, or raise maxStateBytes (at most "
                    + HandlerDefinition.MOST_STATE_BYTES + ")");
        }
        return next;
    }
}

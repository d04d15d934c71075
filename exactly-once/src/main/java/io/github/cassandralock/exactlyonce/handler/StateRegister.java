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
 * The register with the state, which is all that the copies of a handler share. One copy reads and changes it by this class
 * (docs/exactly-once.md, section 3). A copy never returns to an older state than it has seen. Used by one thread.
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

    /** Reads the present state. Writes the initial one if there is none. */
    Snapshot first() throws InterruptedException {
        return ofStored(definition.register.read());
    }

    /** Reads a state that is not older than the given one, although reads may be old. */
    Snapshot readAgain(Snapshot seen) throws InterruptedException {
        StoredValue stored = definition.register.read();
        return stored.getVersion() <= seen.version() ? seen : ofStored(stored);
    }

    /** The state after a pause, for a copy that has nothing to do. */
    Snapshot afterIdlePause(Snapshot seen) throws InterruptedException {
        idlePauses.pause();
        return after(seen);
    }

    /** The state after a pause, for a copy that could not do what the state requires. */
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

    /** Begins the pauses with the first again, because something was done. */
    void resetPauses() {
        idlePauses.reset();
        failurePauses.reset();
    }

    /** The result of a compare-and-set of the state. Refused and overtaken are treated alike: the state is another one. */
    record Change(Snapshot present, CompareAndSetOutcome outcome) {

        boolean applied() {
            return outcome instanceof Applied;
        }

        /** It is unknown whether an overtaken change was applied. */
        boolean perhapsApplied() {
            return !(outcome instanceof Refused);
        }
    }

    Change change(Snapshot seen, HandlerState next) throws InterruptedException {
        CompareAndSetOutcome outcome = definition.register.compareAndSet(seen.version(), next.toBytes());
        if (outcome instanceof Applied) {
            resetPauses();
            ownVersion = seen.version() + 1;
            return new Change(new Snapshot(ownVersion, next), outcome);
        }
        listener.onStepRefused(definition.name);
        return new Change(ofStored(outcome.present()), outcome);
    }

    /** The present state if it differs from the given one. Empty if a compare-and-set has shown that it does not. */
    Optional<Snapshot> changedSince(Snapshot seen) throws InterruptedException {
        Snapshot read = readAgain(seen);
        if (read.version() > seen.version()) {
            return Optional.of(read);
        }
        Change confirmed = change(seen, seen.state());
        return confirmed.applied() ? Optional.empty() : Optional.of(confirmed.present());
    }

    /** Whether this copy has written the state, so that its outputs are probably not there yet. */
    boolean isOwn(Snapshot seen) {
        return seen.version() == ownVersion;
    }

    private Snapshot ofStored(StoredValue stored) throws InterruptedException {
        StoredValue present = stored;
        while (true) {
            if (present.getVersion() == 0) {
                present = definition
                        .register
                        .compareAndSet(0, initialState().toBytes())
                        .present();
            } else if (!HandlerState.isKnown(present.getValue())) {
                present = standBy(present, "the state's own format is of a later version of this library");
            } else {
                HandlerState state = HandlerState.ofBytes(definition.name, present.getValue());
                if (definition.codec.supports(state.format())) {
                    return new Snapshot(present.getVersion(), state);
                }
                present = standBy(
                        present, "the state has format " + state.format() + ", which this copy does not support");
            }
        }
    }

    /** Waits, so that the work is left to copies that support the format of the state. */
    private StoredValue standBy(StoredValue seen, String why) throws InterruptedException {
        listener.onStandingBy(definition.name, why);
        idlePauses.pause();
        StoredValue read = definition.register.read();
        return read.getVersion() < seen.getVersion() ? seen : read;
    }

    private HandlerState initialState() throws InterruptedException {
        return fitting(new HandlerState(
                definition.codec.getFormat(),
                Bytes.of(definition.codec.encode(definition.initialState.get())),
                0,
                calendar.readEpochMillis(),
                counterparts.startsOf(definition.inputs.keySet()),
                new TreeMap<>(),
                0,
                new Phase.Handling(),
                Counterparts.newBirth(),
                counterparts.births()));
    }

    /**
     * Checks the length of a state. A store would refuse a state that is too long, which would end every copy.
     *
     * @throws IllegalArgumentException if it is too long
     */
    HandlerState fitting(HandlerState next) {
        int length = next.toBytes().length;
        if (length > definition.maxStateBytes) {
            throw new IllegalArgumentException("The state of handler " + definition.name + " has " + length
                    + " bytes with the outputs of the step, more than " + definition.maxStateBytes
                    + ". Take fewer inputs in a step, keep less in the state, or raise maxStateBytes (at most "
                    + HandlerDefinition.MAX_STATE_BYTES + ")");
        }
        return next;
    }
}

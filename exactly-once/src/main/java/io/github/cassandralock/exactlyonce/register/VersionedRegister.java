package io.github.cassandralock.exactlyonce.register;

import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A register whose versions count 0 (not there), 1, 2, … and never repeat (docs/exactly-once.md, section 1). It repeats a request
 * with its write id until the outcome is certain. Thread-safe. Methods do I/O and block for as long as the store does not answer;
 * an interrupt ends them.
 *
 * <p>A value that a caller tried to write must not be used without {@code Applied}. The value that was read can be.
 */
public final class VersionedRegister {

    private static final Logger log = LoggerFactory.getLogger(VersionedRegister.class);

    /** A version that no register ever has. */
    private static final long NO_VERSION = Long.MAX_VALUE - 1;

    private final String name;
    private final Registers registers;

    VersionedRegister(String name, Registers registers) {
        this.name = name;
        this.registers = registers;
    }

    /** The name of the register in its store. */
    public String getName() {
        return name;
    }

    /**
     * Reads what the register holds, or held some time ago.
     *
     * @return a version that the register had; perhaps an old one
     * @throws RegisterRefusedException if the store refuses to read permanently
     * @throws InterruptedException if the thread was interrupted
     */
    public StoredValue read() throws InterruptedException {
        GrowingPauses.Series pauses = registers.pauses().begin(registers.pauser());
        while (true) {
            try {
                return registers.store().read(name);
            } catch (RegisterUnavailableException e) {
                waitForStore(pauses, "read", e);
            }
        }
    }

    /**
     * Reads what the register holds while this call runs, never an older version. Costs a compare-and-set that no version matches.
     *
     * @return the present version
     * @throws RegisterRefusedException if the store refuses permanently
     * @throws InterruptedException if the thread was interrupted; nothing was written
     */
    public StoredValue readPresent() throws InterruptedException {
        GrowingPauses.Series pauses = registers.pauses().begin(registers.pauser());
        while (true) {
            try {
                CompareAndSetAnswer answer = registers
                        .store()
                        .compareAndSet(
                                name,
                                NO_VERSION,
                                new byte[0],
                                registers.writeIds().next());
                if (answer instanceof CompareAndSetAnswer.Refused refused) {
                    return refused.present();
                }
                throw new IllegalStateException(
                        "The store reports that the register " + name + " had version " + NO_VERSION);
            } catch (RegisterUnavailableException | UnknownOutcomeException e) {
                waitForStore(pauses, "show", e);
            }
        }
    }

    /**
     * Writes {@code value} as version {@code expected + 1} if the version is {@code expected}.
     *
     * @param expected a version that was read; 0 if nobody has written the register
     * @param value what to write; at most 1 MiB
     * @return the final outcome
     * @throws IllegalArgumentException if {@link RegisterLimits} refuses the version or the value; nothing was sent
     * @throws RegisterRefusedException if the store refuses permanently, and nothing that was sent can be applied
     * @throws UnknownOutcomeException if the store refuses permanently, and an earlier sending may have been applied or may be
     *     applied later
     * @throws ForgottenWriteException if the version is lower than {@code expected}, which the store had shown before
     * @throws InterruptedWriteException if the thread was interrupted, and the write may have been applied or may be applied later
     * @throws InterruptedException if the thread was interrupted, and the write was not applied and never will be
     */
    public CompareAndSetOutcome compareAndSet(long expected, byte[] value) throws InterruptedException {
        return new Sending(expected, value, registers.writeIds().next()).untilSettled();
    }

    private void waitForStore(GrowingPauses.Series pauses, String request, RuntimeException answer)
            throws InterruptedException {
        pauses.pause();
        if (Integer.bitCount(pauses.getCount()) == 1 && pauses.getCount() >= 8) {
            log.warn(
                    "The store has not answered {} requests to {} the register {}; the request is repeated",
                    pauses.getCount(),
                    request,
                    name,
                    answer);
        }
    }

    @Override
    public String toString() {
        return "register " + name;
    }

    /** One write, sent until its outcome is certain. */
    private final class Sending {

        private final long expected;
        private final byte[] value;
        private final WriteId writeId;
        private final GrowingPauses.Series pauses = registers.pauses().begin(registers.pauser());

        /** Set as soon as one sending has an unknown outcome. It may be applied as long as the version is {@code expected}. */
        private @Nullable UnknownOutcomeException unknown;

        Sending(long expected, byte[] value, WriteId writeId) {
            this.expected = expected;
            this.value = value;
            this.writeId = writeId;
        }

        CompareAndSetOutcome untilSettled() throws InterruptedException {
            while (true) {
                Optional<CompareAndSetOutcome> settled = sendOnce();
                if (settled.isPresent()) {
                    return settled.get();
                }
            }
        }

        private Optional<CompareAndSetOutcome> sendOnce() throws InterruptedException {
            CompareAndSetAnswer answer;
            try {
                answer = registers.store().compareAndSet(name, expected, value, writeId);
            } catch (UnknownOutcomeException e) {
                unknown = e;
                pauseBeforeSendingAgain(e);
                return Optional.empty();
            } catch (RegisterUnavailableException e) {
                pauseBeforeSendingAgain(e);
                return Optional.empty();
            } catch (RegisterRefusedException e) {
                throw unknown == null ? e : stillUnknown(e);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            if (answer instanceof CompareAndSetAnswer.Refused refused) {
                return settle(refused.present());
            }
            return Optional.of(new CompareAndSetOutcome.Applied(StoredValue.of(expected + 1, writeId, value)));
        }

        /** Section 1 derives the outcome of all sendings from a refusal that shows {@code present}. */
        private Optional<CompareAndSetOutcome> settle(StoredValue present) throws InterruptedException {
            if (present.getVersion() < expected) {
                throw new ForgottenWriteException("The register " + name + " has version " + present.getVersion()
                        + ", but version " + expected
                        + " was read before. The store has forgotten a write that it had acknowledged. Check how it"
                        + " keeps its data, and whether data was restored or deleted");
            }
            if (present.getVersion() == expected) {
                pauseBeforeSendingAgain(new IllegalStateException(
                        "It refused the write and showed the version that the write expects"));
                return Optional.empty();
            }
            if (present.getVersion() == expected + 1) {
                return Optional.of(
                        present.isWrittenBy(writeId)
                                ? new CompareAndSetOutcome.Applied(present)
                                : new CompareAndSetOutcome.Refused(present));
            }
            return Optional.of(
                    unknown == null
                            ? new CompareAndSetOutcome.Refused(present)
                            : new CompareAndSetOutcome.Overtaken(present));
        }

        private void pauseBeforeSendingAgain(RuntimeException answer) throws InterruptedException {
            try {
                waitForStore(pauses, "write", answer);
            } catch (InterruptedException e) {
                if (unknown == null) {
                    throw e;
                }
                throw interrupted(e);
            }
        }

        private InterruptedWriteException interrupted(InterruptedException cause) {
            InterruptedWriteException told = new InterruptedWriteException("Interrupted while write " + writeId
                    + " to version " + (expected + 1) + " of the register " + name
                    + " was under way. The write may have been applied, or may be applied later");
            told.initCause(cause);
            return told;
        }

        private UnknownOutcomeException stillUnknown(RegisterRefusedException refusal) {
            UnknownOutcomeException told = new UnknownOutcomeException(
                    "The store refuses write " + writeId + " to version " + (expected + 1) + " of the register " + name
                            + " for good. An earlier sending may have been applied, or may be applied later: "
                            + refusal.getMessage(),
                    refusal);
            if (unknown != null) {
                told.addSuppressed(unknown);
            }
            return told;
        }
    }
}

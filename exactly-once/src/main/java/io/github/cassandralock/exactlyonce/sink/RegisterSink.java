package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.UserCode;
import io.github.cassandralock.exactlyonce.copy.UserFailures;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.VersionedRegister;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Effects on registers that are not the handler's state, such as accounts (docs/exactly-once.md, section 4). Each register keeps
 * its content and, for each handler, the last sequence and result. An effect therefore takes place once, and every copy gets the
 * same result. The entry of a handler is never removed, since a stalled copy may request its effect at any time. An entry has at
 * most 264 bytes and the result. A register of 1 MiB holds 250 kB of content and a thousand entries with results of 500 bytes. An
 * effect that does not fit fails as if the function had thrown, and changes nothing. Thread-safe. Methods do I/O and block for as
 * long as the store does not answer; an interrupt ends them.
 */
public final class RegisterSink {

    private final String name;
    private final Registers registers;
    private final EffectFunction function;

    /**
     * Creates a sink. Does no I/O.
     *
     * @param name of the sink, unique in the store, never used again
     * @param registers where its registers are
     * @param function what requests do
     * @throws IllegalArgumentException if the name is not allowed
     */
    public RegisterSink(String name, Registers registers, EffectFunction function) {
        this.name = Names.checked("sink", name);
        this.registers = registers;
        this.function = function;
    }

    public String getName() {
        return name;
    }

    /**
     * The birth of this sink, drawn when the sink is first used. A sink that is made again with its name has another birth.
     *
     * @return the birth, which is final
     * @throws InterruptedException if the thread was interrupted
     */
    public String readBirth() throws InterruptedException {
        VersionedRegister register = registers.named("sink-birth/" + name);
        StoredValue present = register.read();
        while (present.getVersion() == 0) {
            byte[] drawn = Codec.utf8().encode(UUID.randomUUID().toString());
            present = register.compareAndSet(0, drawn).present();
        }
        return Codec.utf8().decode(present.getValue());
    }

    private VersionedRegister register(String key) {
        return registers.named("sink/" + name + "/" + Names.checked("sink's register", key));
    }

    /**
     * Writes the first content of a register.
     *
     * @param key of the register
     * @param content to begin with
     * @return whether this call certainly wrote it. False if the register existed, or if it was changed while the outcome was
     *     unknown
     * @throws IllegalArgumentException if the key is not allowed, or the content larger than a register holds
     * @throws InterruptedException if the thread was interrupted: the register may have been written
     */
    public boolean create(String key, Bytes content) throws InterruptedException {
        CompareAndSetOutcome outcome =
                register(key).compareAndSet(0, SinkRegister.of(content).toBytes());
        return outcome instanceof Applied;
    }

    /**
     * Reads the content of a register, perhaps an old one.
     *
     * @param key of the register
     * @return its content; empty if it was never written
     * @throws IllegalArgumentException if the key is not allowed
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<Bytes> readContent(String key) throws InterruptedException {
        return seen(key, register(key).read()).content();
    }

    /**
     * Makes the effect of a request once, however many copies request it. All copies get its result.
     *
     * @param key of the register
     * @param handler that requests it
     * @param birth of the handler's state, drawn when the state is made; a handler that begins again has another
     * @param sequence of the request, fixed by a committed state of the handler, and higher than those before
     * @param request what to do
     * @throws IllegalArgumentException if the key is not allowed
     * @throws MismatchedStoresException if the register has effects of another handler with that name, or of another request with
     *     that sequence
     * @throws EffectFailedException if the function throws, returns null, or returns more than a register holds
     * @return the result; empty if the handler has passed this request already, so that the caller's state is old
     * @throws InterruptedException if the thread was interrupted: the effect may have taken place, or may take place later
     */
    public Optional<Bytes> apply(String key, String handler, String birth, long sequence, Bytes request)
            throws InterruptedException {
        VersionedRegister register = register(key);
        StoredValue present = register.read();
        while (true) {
            SinkRegister seen = seen(key, present);
            Optional<SinkRegister.Effect> last = seen.lastOf(handler);
            if (last.isPresent() && !last.get().isOf(birth)) {
                throw new MismatchedStoresException(
                        "Register " + key + " of sink " + name + " has effects of another handler " + handler
                                + ". The handler's state was lost, emptied, or is in another store. Use that store"
                                + " again; or begin under a new name");
            }
            if (last.isPresent() && last.get().isOfAnother(sequence, request)) {
                throw new MismatchedStoresException(
                        "Register " + key + " of sink " + name + " has the effect " + sequence + " of handler "
                                + handler
                                + " for another request. The handler's state was restored from a backup, and this"
                                + " register was not. Begin again under a new name of the handler");
            }
            long applied = last.map(SinkRegister.Effect::sequence).orElse(-1L);
            if (applied == sequence) {
                return last.map(SinkRegister.Effect::result);
            }
            if (applied > sequence) {
                return Optional.empty();
            }
            Changed change = change(key, seen, handler, birth, sequence, request);
            CompareAndSetOutcome outcome =
                    register.compareAndSet(present.getVersion(), change.value().toArray());
            if (outcome instanceof Applied) {
                return Optional.of(change.result());
            }
            present = outcome.present();
        }
    }

    /** The result of a request, and the value of the register that keeps it. */
    private record Changed(Bytes result, Bytes value) {}

    /** A value that the store would refuse permanently is a failure of the function as well. */
    private Changed change(String key, SinkRegister seen, String handler, String birth, long sequence, Bytes request) {
        try {
            EffectFunction.Change change = Objects.requireNonNull(
                    UserCode.call(() -> function.change(seen.content(), request)), "The function returned no change");
            byte[] value = seen.after(change, handler, birth, sequence, request).toBytes();
            if (value.length > RegisterLimits.MAX_VALUE_BYTES) {
                throw new IllegalArgumentException("The register would have " + value.length
                        + " bytes with the last result of each of "
                        + seen.applied().size()
                        + " handlers; it has at most " + RegisterLimits.MAX_VALUE_BYTES
                        + ". Put large content elsewhere, and keep references");
            }
            return new Changed(change.result(), Bytes.of(value));
        } catch (Throwable e) { // even a checked exception: Kotlin does not check them
            throw new EffectFailedException(
                    "The function of sink " + name + " failed for its register " + key
                            + ". A refusal belongs into the result; what is thrown stops the handler",
                    UserFailures.describable(e));
        }
    }

    private SinkRegister seen(String key, StoredValue stored) {
        return stored.getVersion() == 0
                ? SinkRegister.neverWritten()
                : SinkRegister.ofBytes("register " + key + " of sink " + name, stored.getValue());
    }
}

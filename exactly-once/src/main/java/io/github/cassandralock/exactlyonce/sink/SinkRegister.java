package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The value of a register of a sink.
 *
 * @param content the result of the effects; empty if there was none
 * @param applied the last effect of each handler
 */
record SinkRegister(Optional<Bytes> content, SortedMap<String, Effect> applied) {

    /** Only read: has no births. */
    private static final int FORMAT_WITHOUT_BIRTHS = 1;

    private static final int FORMAT = 2;

    /**
     * The last effect of a handler, and its result. Refusals are kept as well, otherwise two copies could decide differently.
     *
     * @param birth of the handler's state, whose effects the sequence counts. Empty if an older version of the program wrote it
     */
    record Effect(String birth, long sequence, Bytes result) {

        boolean isOf(String stateBirth) {
            return birth.isEmpty() || birth.equals(stateBirth);
        }
    }

    SinkRegister {
        applied = Collections.unmodifiableSortedMap(new TreeMap<>(applied));
    }

    static SinkRegister neverWritten() {
        return new SinkRegister(Optional.empty(), Collections.emptySortedMap());
    }

    static SinkRegister of(Bytes content) {
        return new SinkRegister(Optional.of(content), Collections.emptySortedMap());
    }

    /** Empty if the handler had no effect here. */
    Optional<Effect> lastOf(String handler) {
        return Optional.ofNullable(applied.get(handler));
    }

    SinkRegister after(EffectFunction.Change change, String handler, String birth, long sequence) {
        SortedMap<String, Effect> next = new TreeMap<>(applied);
        next.put(handler, new Effect(birth, sequence, change.result()));
        return new SinkRegister(Optional.of(change.content()), next);
    }

    byte[] toBytes() {
        return new ByteEncoder()
                .tag(FORMAT)
                .bytes(content.orElse(Bytes.none()).toArray())
                .map(applied, SinkRegister::write)
                .toBytes();
    }

    private static void write(ByteEncoder encoder, Effect effect) {
        encoder.text(effect.birth())
                .number(effect.sequence())
                .bytes(effect.result().toArray());
    }

    static SinkRegister ofBytes(String what, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder(what, bytes);
        boolean hasBirths = decoder.readFormat(FORMAT_WITHOUT_BIRTHS, FORMAT) != FORMAT_WITHOUT_BIRTHS;
        SinkRegister register = new SinkRegister(
                Optional.of(Bytes.of(decoder.readBytes())),
                decoder.readMap(fields -> new Effect(
                        hasBirths ? fields.readText() : "", fields.readNumber(), Bytes.of(fields.readBytes()))));
        decoder.requireEnd();
        return register;
    }
}

package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

    /** Only read: has no digests of requests. */
    private static final int FORMAT_WITHOUT_REQUESTS = 2;

    private static final int FORMAT = 3;

    /** The digest of a request of which an older version of the program made the effect. */
    private static final long UNKNOWN_REQUEST = 0;

    /**
     * The last effect of a handler, and its result. Refusals are kept as well, otherwise two copies could decide differently.
     *
     * @param birth of the handler's state, whose effects the sequence counts. Empty if an older version of the program wrote it
     * @param request the first bytes of a digest of the request
     */
    record Effect(String birth, long sequence, long request, Bytes result) {

        boolean isOf(String stateBirth) {
            return birth.isEmpty() || birth.equals(stateBirth);
        }

        /** Whether this is the effect of another request with the given sequence, which a restored state numbers again. */
        boolean isOfAnother(long sequenceOfRequest, Bytes other) {
            return sequence == sequenceOfRequest && request != UNKNOWN_REQUEST && request != digest(other);
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

    SinkRegister after(EffectFunction.Change change, String handler, String birth, long sequence, Bytes request) {
        SortedMap<String, Effect> next = new TreeMap<>(applied);
        next.put(handler, new Effect(birth, sequence, digest(request), change.result()));
        return new SinkRegister(Optional.of(change.content()), next);
    }

    private static long digest(Bytes request) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(request.toArray());
            long first = ByteBuffer.wrap(digest).getLong();
            return first == UNKNOWN_REQUEST ? 1 : first;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Each Java platform has SHA-256", e);
        }
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
                .number(effect.request())
                .bytes(effect.result().toArray());
    }

    static SinkRegister ofBytes(String what, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder(what, bytes);
        int format = decoder.readFormat(FORMAT_WITHOUT_BIRTHS, FORMAT);
        SinkRegister register = new SinkRegister(
                Optional.of(Bytes.of(decoder.readBytes())), decoder.readMap(fields -> effect(format, fields)));
        decoder.requireEnd();
        return register;
    }

    private static Effect effect(int format, ByteDecoder fields) {
        return new Effect(
                format > FORMAT_WITHOUT_BIRTHS ? fields.readText() : "",
                fields.readNumber(),
                format > FORMAT_WITHOUT_REQUESTS ? fields.readNumber() : UNKNOWN_REQUEST,
                Bytes.of(fields.readBytes()));
    }
}

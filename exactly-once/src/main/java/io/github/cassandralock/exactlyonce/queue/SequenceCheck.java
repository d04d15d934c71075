package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a consumer of a queue remembers of its producers: the last sequence of each. The next message of a producer must have the
 * next sequence. Immutable.
 *
 * @param last producer → its last sequence; a producer that is not there has pushed nothing
 */
public record SequenceCheck(SortedMap<String, Long> last) {

    /** Copies the map. */
    public SequenceCheck {
        last = Collections.unmodifiableSortedMap(new TreeMap<>(last));
    }

    /** Before the first message. */
    public static SequenceCheck none() {
        return new SequenceCheck(Collections.emptySortedMap());
    }

    /** After that message, whether it follows or not. Messages of anonymous producers change nothing. */
    public SequenceCheck after(MessageId id) {
        if (id.anonymous()) {
            return this;
        }
        SortedMap<String, Long> next = new TreeMap<>(last);
        next.merge(id.producer(), id.sequence(), Math::max);
        return new SequenceCheck(next);
    }

    /** What is wrong if that message comes next. */
    public Optional<SequenceViolation> violation(String queue, long index, MessageId next) {
        long expected = last.getOrDefault(next.producer(), -1L) + 1;
        return next.anonymous() || next.sequence() == expected
                ? Optional.empty()
                : Optional.of(new SequenceViolation(queue, index, expected, next));
    }

    /** Writes this as fields. */
    public void writeTo(ByteEncoder encoder) {
        encoder.numbers(last);
    }

    /** Reads what {@link #writeTo} has written. */
    public static SequenceCheck readFrom(ByteDecoder decoder) {
        return new SequenceCheck(decoder.numbers());
    }

    /** As bytes, for a sink that keeps it beside its index. */
    public byte[] toBytes() {
        ByteEncoder encoder = new ByteEncoder();
        writeTo(encoder);
        return encoder.toBytes();
    }

    /** Of the bytes that {@link #toBytes} made. */
    public static SequenceCheck ofBytes(byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("a sink's last sequences", bytes);
        SequenceCheck check = readFrom(decoder);
        decoder.end();
        return check;
    }
}

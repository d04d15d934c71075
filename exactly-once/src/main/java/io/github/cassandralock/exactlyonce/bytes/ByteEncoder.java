package io.github.cassandralock.exactlyonce.bytes;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.SortedMap;

/** Writes fields one after the other; {@link ByteDecoder} reads them in the same order. Not thread-safe. */
public final class ByteEncoder {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream fields = new DataOutputStream(bytes);

    private interface Field {
        void writeTo(DataOutputStream fields) throws IOException;
    }

    /** Writes an element of a collection. */
    @FunctionalInterface
    public interface ElementWriter<T> {
        void write(ByteEncoder encoder, T element);
    }

    private ByteEncoder write(Field field) {
        try {
            field.writeTo(fields);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A number from 0 to 255, such as the format of what follows. */
    public ByteEncoder tag(int tag) {
        return write(to -> to.writeByte(tag));
    }

    public ByteEncoder number(long number) {
        return write(to -> to.writeLong(number));
    }

    public ByteEncoder count(int count) {
        return write(to -> to.writeInt(count));
    }

    /** Bytes, with their length. */
    public ByteEncoder bytes(byte[] value) {
        return write(to -> {
            to.writeInt(value.length);
            to.write(value);
        });
    }

    /** A text in UTF-8, with its length in bytes. */
    public ByteEncoder text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Several elements, with their number. */
    public <T> ByteEncoder all(Collection<T> elements, ElementWriter<T> writer) {
        count(elements.size());
        elements.forEach(element -> writer.write(this, element));
        return this;
    }

    /** Names with a value each. */
    public <V> ByteEncoder map(SortedMap<String, V> values, ElementWriter<V> value) {
        return all(values.entrySet(), (encoder, entry) -> value.write(encoder.text(entry.getKey()), entry.getValue()));
    }

    /** The bytes of all fields. */
    public byte[] toBytes() {
        return bytes.toByteArray();
    }
}

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

    /** How an element of a collection is written. */
    @FunctionalInterface
    public interface ElementWriter<T> {
        /** Writes one element. */
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

    /** A small number, such as the format of what follows: 0 to 255. */
    public ByteEncoder tag(int tag) {
        return write(to -> to.writeByte(tag));
    }

    /** A number. */
    public ByteEncoder number(long number) {
        return write(to -> to.writeLong(number));
    }

    /** A number of things. */
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

    /** A text. */
    public ByteEncoder text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Several elements, with their number. */
    public <T> ByteEncoder all(Collection<T> elements, ElementWriter<T> writer) {
        count(elements.size());
        elements.forEach(element -> writer.write(this, element));
        return this;
    }

    /** Names with a number each. */
    public ByteEncoder numbers(SortedMap<String, Long> numbers) {
        return all(
                numbers.entrySet(),
                (encoder, entry) -> encoder.text(entry.getKey()).number(entry.getValue()));
    }

    /** Names with a text each. */
    public ByteEncoder texts(SortedMap<String, String> texts) {
        return all(
                texts.entrySet(),
                (encoder, entry) -> encoder.text(entry.getKey()).text(entry.getValue()));
    }

    /** All that was written. */
    public byte[] toBytes() {
        return bytes.toByteArray();
    }
}

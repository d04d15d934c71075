package io.github.cassandralock.exactlyonce.bytes;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads what a {@link ByteEncoder} has written, in the same order. Not thread-safe. */
public final class ByteDecoder {

    private final String what;
    private final ByteBuffer bytes;

    /**
     * Begins with the first field.
     *
     * @param what the bytes are, for messages
     * @param bytes to read
     */
    public ByteDecoder(String what, byte[] bytes) {
        this.what = what;
        this.bytes = ByteBuffer.wrap(bytes);
    }

    private <T> T read(Function<ByteBuffer, T> field) {
        try {
            return field.apply(bytes);
        } catch (BufferUnderflowException e) {
            MalformedBytesException told = new MalformedBytesException(
                    "The bytes of " + what + " end too early: nobody but this module may write its registers");
            told.initCause(e);
            throw told;
        }
    }

    /** A small number. */
    public int tag() {
        return read(from -> Byte.toUnsignedInt(from.get()));
    }

    /** A number. */
    public long number() {
        return read(ByteBuffer::getLong);
    }

    /** A number of things. */
    public int count() {
        int count = read(ByteBuffer::getInt);
        if (count < 0 || count > bytes.remaining()) {
            throw new MalformedBytesException("The bytes of " + what + " count " + count + " where only "
                    + bytes.remaining() + " bytes follow: nobody but this module may write its registers");
        }
        return count;
    }

    /** A number that {@link ByteEncoder#count} wrote, and that does not say how much follows. */
    public int position() {
        return read(ByteBuffer::getInt);
    }

    /** Bytes. */
    public byte[] bytes() {
        byte[] value = new byte[count()];
        return read(from -> {
            from.get(value);
            return value;
        });
    }

    /** A text. */
    public String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** Several elements. */
    public <T> List<T> all(Function<ByteDecoder, T> reader) {
        int count = count();
        List<T> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(reader.apply(this));
        }
        return Collections.unmodifiableList(elements);
    }

    /** Names with a number each. */
    public SortedMap<String, Long> numbers() {
        SortedMap<String, Long> numbers = new TreeMap<>();
        int count = count();
        for (int i = 0; i < count; i++) {
            numbers.put(text(), number());
        }
        return Collections.unmodifiableSortedMap(numbers);
    }

    /** Names with a text each. */
    public SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        int count = count();
        for (int i = 0; i < count; i++) {
            texts.put(text(), text());
        }
        return Collections.unmodifiableSortedMap(texts);
    }

    /**
     * Checks that nothing follows.
     *
     * @throws MalformedBytesException if bytes are left
     */
    public void end() {
        if (bytes.hasRemaining()) {
            throw new MalformedBytesException("The bytes of " + what
                    + " go on after their end: nobody but this module may" + " write its registers");
        }
    }
}

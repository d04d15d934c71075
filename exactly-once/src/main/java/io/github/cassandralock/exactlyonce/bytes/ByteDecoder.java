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

/**
 * Reads the fields of a {@link ByteEncoder} in the order in which they were written. Methods throw {@link MalformedBytesException}
 * if the bytes end too early. Not thread-safe.
 */
public final class ByteDecoder {

    private final String what;
    private final ByteBuffer bytes;

    /**
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

    /** A number from 0 to 255. */
    public int readTag() {
        return read(from -> Byte.toUnsignedInt(from.get()));
    }

    /**
     * The format of what follows.
     *
     * @param first the lowest one that the caller reads
     * @param last the highest one that the caller reads
     * @throws MalformedBytesException if it is another
     */
    public int readFormat(int first, int last) {
        int format = readTag();
        if (format < first || format > last) {
            throw new MalformedBytesException("The bytes of " + what + " have format " + format
                    + ", which this version of the program does not support: upgrade it");
        }
        return format;
    }

    public long readNumber() {
        return read(ByteBuffer::getLong);
    }

    /**
     * A number of elements or bytes that follow.
     *
     * @throws MalformedBytesException if it is negative, or fewer bytes follow
     */
    public int readCount() {
        int count = read(ByteBuffer::getInt);
        if (count < 0 || count > bytes.remaining()) {
            throw new MalformedBytesException("The bytes of " + what + " count " + count + " where only "
                    + bytes.remaining() + " bytes follow: nobody but this module may write its registers");
        }
        return count;
    }

    /** A number that {@link ByteEncoder#count} wrote for something else than the length of what follows. */
    public int getPosition() {
        return read(ByteBuffer::getInt);
    }

    public byte[] readBytes() {
        byte[] value = new byte[readCount()];
        return read(from -> {
            from.get(value);
            return value;
        });
    }

    public String readText() {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }

    public <T> List<T> readAll(Function<ByteDecoder, T> reader) {
        int count = readCount();
        List<T> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(reader.apply(this));
        }
        return Collections.unmodifiableList(elements);
    }

    /** Names with a value each. */
    public <V> SortedMap<String, V> readMap(Function<ByteDecoder, V> value) {
        SortedMap<String, V> values = new TreeMap<>();
        int count = readCount();
        for (int i = 0; i < count; i++) {
            values.put(readText(), value.apply(this));
        }
        return Collections.unmodifiableSortedMap(values);
    }

    /**
     * Checks that nothing follows.
     *
     * @throws MalformedBytesException if bytes remain
     */
    public void requireEnd() {
        if (bytes.hasRemaining()) {
            throw new MalformedBytesException("The bytes of " + what
                    + " go on after their end: nobody but this module may" + " write its registers");
        }
    }
}

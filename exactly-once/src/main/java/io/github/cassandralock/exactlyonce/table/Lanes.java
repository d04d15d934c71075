package io.github.cassandralock.exactlyonce.table;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Lanes of messages that have a key. Messages of a lane take effect one after the other; lanes are independent. */
public final class Lanes {

    /** As many copies can work on one queue at the same time. Stored messages keep their lane, so it never changes. */
    public static final int COUNT = 32;

    private Lanes() {}

    /**
     * The lane of a key, the same in all programs: the CRC-32 of its UTF-8 bytes, modulo {@link #COUNT}.
     *
     * @param key of a message
     * @return a number from 0
     */
    public static int of(String key) {
        CRC32 hash = new CRC32();
        hash.update(key.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % COUNT);
    }
}

package io.github.cassandralock.internal.exactlyonce;

import java.util.Map;

/**
 * How far a copy is, by its last look.
 *
 * @param positions input queue → index of the next message, as far as the copy has read
 * @param details for people
 */
record Progress(Map<String, Long> positions, Map<String, Object> details) {

    /** Of a copy whose progress is unknown. */
    static final Progress UNKNOWN = new Progress(Map.of(), Map.of());
}

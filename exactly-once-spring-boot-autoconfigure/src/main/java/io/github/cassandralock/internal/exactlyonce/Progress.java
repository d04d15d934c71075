package io.github.cassandralock.internal.exactlyonce;

import java.util.Map;

/**
 * How far a copy is, as it has seen it last.
 *
 * @param positions input queue → index of the next message, as far as the copy knows
 * @param details for people
 */
record Progress(Map<String, Long> positions, Map<String, Object> details) {

    /** Of a copy that does not know. */
    static final Progress UNKNOWN = new Progress(Map.of(), Map.of());
}

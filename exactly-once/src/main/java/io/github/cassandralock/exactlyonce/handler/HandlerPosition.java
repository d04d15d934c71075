package io.github.cassandralock.exactlyonce.handler;

import java.util.Map;

/**
 * How far a handler is, as one of its copies has seen it last.
 *
 * @param step how many steps there were
 * @param phase Handling, Preparing, Writing, SoleWriting or Effect
 * @param indexes the index of the next message, for each input queue
 */
public record HandlerPosition(long step, String phase, Map<String, Long> indexes) {}

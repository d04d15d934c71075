package io.github.cassandralock.exactlyonce.sink;

import java.util.Optional;

/**
 * The state of an outbox.
 *
 * @param rows how many rows it has had
 * @param target the pump and the queue of its rows; empty if none has pumped it yet
 * @param mayHaveBeenPumped whether a version of the program that stored no target may have pumped it
 */
public record OutboxOrigin(long rows, Optional<OutboxTarget> target, boolean mayHaveBeenPumped) {}

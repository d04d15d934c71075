package io.github.cassandralock.exactlyonce.sink;

import java.util.Optional;

/**
 * What an outbox says about itself.
 *
 * @param rows how many rows it has had
 * @param target to which pump and queue its rows go; empty if none has pumped it yet
 * @param mayHaveBeenPumped whether a version of the program that kept no target may have pumped it
 */
public record OutboxOrigin(long rows, Optional<OutboxTarget> target, boolean mayHaveBeenPumped) {}

package io.github.cassandralock.internal.session;

import java.time.Duration;
import java.util.UUID;

/**
 * A session that is dead for ever.
 *
 * @param owner whose it was, for people
 * @param silent for how long no renewal of it was seen, as far as this process looked
 */
public record DeadSession(UUID id, String owner, Duration silent) {}

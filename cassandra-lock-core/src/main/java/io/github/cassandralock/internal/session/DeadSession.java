package io.github.cassandralock.internal.session;

import java.time.Duration;
import java.util.UUID;

/**
 * A session that is dead, which is final.
 *
 * @param owner host and process of the owner, for people
 * @param silent how long this process had seen no renewal of it; zero if its first read showed the session dead
 */
public record DeadSession(UUID id, String owner, Duration silent) {}

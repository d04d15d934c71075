package io.github.cassandralock.internal.inspect;

import java.util.List;
import java.util.Optional;

/**
 * A part of a scan for lock ids.
 *
 * @param lockIds of this application; a part may have none
 * @param next names the next part; empty if this one is the last
 */
public record LockIds(List<String> lockIds, Optional<String> next) {}

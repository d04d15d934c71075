package io.github.cassandralock.internal.inspect;

import java.util.List;
import java.util.Optional;

/**
 * A part of a scan for lock ids.
 *
 * @param lockIds of this application; a part may have none
 * @param next names the next part; empty if this part is the last. It is the name of the same part if that must be read again
 * @param unread what could not be read although it belongs to this part, and why; empty if nothing is missing
 */
public record LockIds(List<String> lockIds, Optional<String> next, Optional<String> unread) {}

package io.github.cassandralock.internal.cassandra;

import java.util.Optional;

/**
 * Lock ids in the tables: the prefix of the application, a separator and the id. Without a prefix, the id alone. Neither ids nor
 * prefixes contain control characters. Therefore two stored ids are equal only if their prefixes and their ids are equal.
 *
 * @param prefix of the application; empty for none
 */
public record StoredIds(Optional<String> prefix) {

    /** Ids of an application without a prefix. */
    public static final StoredIds WITHOUT_PREFIX = new StoredIds(Optional.empty());

    private static final char SEPARATOR = '\u001F';

    String stored(String lockId) {
        return prefix.map(present -> present + SEPARATOR + lockId).orElse(lockId);
    }

    /** Returns the lock id; empty if the row belongs to an application with another prefix, or to no lock. */
    Optional<String> lockId(String stored) {
        String beginning = stored("");
        return Optional.of(stored)
                .filter(id -> id.startsWith(beginning))
                .map(id -> id.substring(beginning.length()))
                .filter(id -> id.chars().noneMatch(Character::isISOControl));
    }
}

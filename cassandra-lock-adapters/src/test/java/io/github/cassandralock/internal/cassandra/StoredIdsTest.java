package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Would catch a prefix and an id that are stored as another prefix and another id, and ids of others that are taken for own ones. */
class StoredIdsTest {

    private static final List<String> PARTS = List.of("a", "ab", "b", "bc", "abc", "c", ":", "a:b", "a/b", "ü");

    private static StoredIds of(String prefix) {
        return new StoredIds(Optional.of(prefix));
    }

    @Test
    void noTwoPrefixesAndIdsAreStoredAlike() {
        Set<String> stored = new HashSet<>(PARTS);
        PARTS.forEach(prefix -> PARTS.forEach(id -> stored.add(of(prefix).stored(id))));

        assertThat(stored).hasSize(PARTS.size() * PARTS.size() + PARTS.size());
    }

    @Test
    void onlyIdsOfTheOwnPrefixAreLocksOfTheApplication() {
        String stored = of("ab").stored("c");

        assertThat(of("ab").lockId(stored)).contains("c");
        assertThat(of("a").lockId(stored)).isEmpty();
        assertThat(StoredIds.WITHOUT_PREFIX.lockId(stored)).isEmpty();
        assertThat(of("ab").lockId("abc")).isEmpty();
        assertThat(StoredIds.WITHOUT_PREFIX.lockId("abc")).contains("abc");
    }

    @Test
    void marksOfAMajorityAreNoLocks() {
        assertThat(StoredIds.WITHOUT_PREFIX.lockId("\u0001births")).isEmpty();
    }
}

package io.github.cassandralock.internal.locker.held;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

/**
 * Values by a key that several of them may have, since a lock may have several holders in one process. Most keys have one value, so
 * lists are copied when they change. Nothing is stored for a key without values. Thread-safe.
 */
final class Grouped<K, V> {

    private final ConcurrentMap<K, List<V>> lists = new ConcurrentHashMap<>();

    void add(K key, V value) {
        lists.merge(
                key,
                List.of(value),
                (old, added) -> Stream.concat(old.stream(), added.stream()).toList());
    }

    void remove(K key, V value) {
        lists.computeIfPresent(key, (same, old) -> {
            List<V> left = old.stream().filter(other -> !other.equals(value)).toList();
            return left.isEmpty() ? null : left;
        });
    }

    /** In the order in which they were added; empty if there is none. */
    List<V> get(K key) {
        return lists.getOrDefault(key, List.of());
    }

    /** The values of all keys. */
    List<V> all() {
        return lists.values().stream().flatMap(List::stream).toList();
    }
}

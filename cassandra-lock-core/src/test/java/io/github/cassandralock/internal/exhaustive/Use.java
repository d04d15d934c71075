package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.LockMode;
import java.util.List;

/**
 * What a process does with the lock.
 *
 * @param mode in which it requests the lock
 * @param conversions the modes to which it may convert the lock before the release, in this order
 * @param rounds how often it requests the lock
 */
record Use(LockMode mode, List<LockMode> conversions, int rounds) {

    static final Use WRITES = new Use(LockMode.EXCLUSIVE, List.of(), 1);

    static final Use READS = new Use(LockMode.PROTECTED_READ, List.of(), 1);

    Use converts(LockMode... modes) {
        return new Use(mode, List.of(modes), rounds);
    }

    Use times(int number) {
        return new Use(mode, conversions, number);
    }
}

package io.github.cassandralock.internal.store;

import java.util.Comparator;
import java.util.UUID;

/**
 * The identity of one published wait.
 *
 * @param session of the process whose call waits
 * @param number distinguishes the calls of the process, and is never used again
 */
public record WaitId(UUID session, long number) implements Comparable<WaitId> {

    private static final Comparator<WaitId> ORDER = Comparator.<WaitId>comparingLong(id -> hash(id) ^ Long.MIN_VALUE)
            .thenComparing(WaitId::session)
            .thenComparingLong(WaitId::number);

    /** The finalizer of MurmurHash3: it spreads every bit over all. */
    private static final long FIRST_FACTOR = 0xff51afd7ed558ccdL;

    private static final long SECOND_FACTOR = 0xc4ceb9fe1a85ec53L;
    private static final int SHIFT = 33;

    /** By a hash, equal in all processes. If the session came first, one process would always be the victim. */
    @Override
    public int compareTo(WaitId other) {
        return ORDER.compare(this, other);
    }

    private static long hash(WaitId id) {
        long mixed = mixed(id.session.getMostSignificantBits());
        mixed = mixed(mixed ^ id.session.getLeastSignificantBits());
        return mixed(mixed ^ id.number);
    }

    private static long mixed(long bits) {
        long mixed = (bits ^ (bits >>> SHIFT)) * FIRST_FACTOR;
        mixed = (mixed ^ (mixed >>> SHIFT)) * SECOND_FACTOR;
        return mixed ^ (mixed >>> SHIFT);
    }
}

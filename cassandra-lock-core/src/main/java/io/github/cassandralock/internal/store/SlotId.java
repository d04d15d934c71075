package io.github.cassandralock.internal.store;

import java.util.Comparator;
import java.util.UUID;

/**
 * The identity of one slot in a lock's partition. A session may have several slots for one lock, each of which is acquired and
 * released separately.
 *
 * @param session the owner of the slot; other sessions may only delete it
 * @param number distinguishes the slots of one session; from 0 to {@link #HIGHEST}
 */
public record SlotId(UUID session, int number) implements Comparable<SlotId> {

    /** The highest number of a slot. It fits into two bytes, in the table and in notices. */
    public static final int HIGHEST = Short.MAX_VALUE;

    private static final Comparator<SlotId> ORDER =
            Comparator.comparing(SlotId::session).thenComparingInt(SlotId::number);

    public SlotId {
        if (!isPossible(number)) {
            throw new IllegalArgumentException("A slot has a number from 0 to " + HIGHEST + ", not " + number);
        }
    }

    /** Whether a slot may have this number. */
    public static boolean isPossible(int number) {
        return number >= 0 && number <= HIGHEST;
    }

    /** By session, then by number. */
    @Override
    public int compareTo(SlotId other) {
        return ORDER.compare(this, other);
    }
}

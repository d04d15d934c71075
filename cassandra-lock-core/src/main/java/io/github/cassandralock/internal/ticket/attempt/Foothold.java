package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;

/**
 * What an attempt stands on (lock modes, section 4): nothing; or, if it converts a handle up, the slots with which that handle holds
 * the lock. Used in the lock's mailbox alone.
 */
public interface Foothold {

    /** A plain request stands on nothing. */
    Foothold NONE = new Foothold() {
        @Override
        public int base() {
            return Slot.NO_BASE;
        }

        @Override
        public boolean isShownBy(LockSlots read) {
            return true;
        }

        @Override
        public boolean ignores(Slot other) {
            return false;
        }

        @Override
        public boolean isClear() {
            return true;
        }
    };

    /** The number of the topmost of the handle's slots. */
    int base();

    /** Whether the read shows all of the handle's slots. If not, they were evicted or have expired, and the attempt begins again. */
    boolean isShownBy(LockSlots read);

    /** Whether the slot is one of the handle's, or cannot get the lock while the handle holds it. */
    boolean ignores(Slot other);

    /** Whether no other thread that holds the lock with one of the handle's slots is in the way of the mode that is wanted. */
    boolean isClear();
}

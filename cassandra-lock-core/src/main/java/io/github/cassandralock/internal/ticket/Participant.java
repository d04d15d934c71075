package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.SlotId;
import org.jspecify.annotations.Nullable;

/** One of the slots that this process may have in a lock's partition (lock modes, section 1). Used in the lock's mailbox alone. */
final class Participant {

    private final LockPartition partition;
    private final int number;

    /** Null until it is needed: there is a participant for every lock that is held. */
    private @Nullable SlotNotices notices;

    /** @param number of the slot among those of this process's session */
    Participant(LockPartition partition, int number) {
        this.partition = partition;
        this.number = number;
    }

    SlotId id(OwnSession session) {
        return session.slot(number);
    }

    LockPartition partition() {
        return partition;
    }

    /** What the slot's attempts tell other sessions. */
    SlotNotices notices() {
        SlotNotices present = notices;
        if (present == null) {
            present = new SlotNotices(partition);
            notices = present;
        }
        return present;
    }
}

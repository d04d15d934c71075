package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.text.RepeatedWarning;

/**
 * The objects that all parts of the search for deadlocks share.
 *
 * @param failing warns that waits cannot be published or read
 * @param crowded warns that there are more waits than the bounds allow
 */
record DeadlockContext(
        WaitStore waits,
        SlotStore slots,
        SessionContext sessions,
        DeadlockSettings settings,
        RepeatedWarning failing,
        RepeatedWarning crowded) {}

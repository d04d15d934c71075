package io.github.cassandralock.inspect;

import java.util.List;
import java.util.Optional;

/**
 * Some of the locks that are held or waited for. Immutable.
 *
 * @param locks in no order that means anything; at most {@link #MAX_LOCKS}. It may be empty although there is a next page
 * @param next names the next page; empty if this page is the last
 * @param unread why locks may be missing: Cassandra failed to read a part of the table, and the next page begins after it; a text for
 *     people. Empty if no lock is missing
 */
public record LockPage(List<LockState> locks, Optional<String> next, Optional<String> unread) {

    /** How many locks a page has at most. */
    public static final int MAX_LOCKS = 100;

    /**
     * Creates a page.
     *
     * @param locks its locks; copied
     * @param next names the next page; empty if this page is the last
     * @param unread why locks may be missing; empty if none is
     */
    public LockPage {
        locks = List.copyOf(locks);
    }
}

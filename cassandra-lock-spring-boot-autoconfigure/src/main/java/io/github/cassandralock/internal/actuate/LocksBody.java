package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A page of the locks of all processes.
 *
 * @param at when it was read, by this machine's clock
 * @param prefix of all ids of the application in the tables; null for none
 * @param locks that are held or waited for; at most a hundred. It may be empty although there is a next page
 * @param next the parameter {@code page} of the next page; null if this page is the last
 * @param unread why locks may be missing; null if none is
 */
record LocksBody(
        String at,
        @Nullable String prefix,
        List<ListedLock> locks,
        @Nullable String next,
        @Nullable String unread) implements OperationResponseBody {

    /**
     * One of them.
     *
     * @param holder the first of the holders; null if nobody has the lock
     * @param holderCount how many have the lock
     * @param queueLength how many wait for it
     */
    record ListedLock(String lockId, @Nullable QueueEntryBody holder, int holderCount, int queueLength) {

        private static ListedLock of(LockState state, Instant now) {
            return new ListedLock(
                    state.lockId(),
                    state.holders().stream()
                            .findFirst()
                            .map(entry -> QueueEntryBody.of(entry, Optional.empty(), now))
                            .orElse(null),
                    state.holderCount(),
                    state.queueLength());
        }
    }

    static LocksBody of(LockPage page, @Nullable String prefix, Instant now) {
        return new LocksBody(
                Times.of(now),
                prefix,
                page.locks().stream().map(state -> ListedLock.of(state, now)).toList(),
                page.next().orElse(null),
                page.unread().orElse(null));
    }
}

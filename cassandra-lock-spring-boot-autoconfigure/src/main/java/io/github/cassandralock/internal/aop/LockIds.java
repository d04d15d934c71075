package io.github.cassandralock.internal.aop;

import java.util.List;
import java.util.stream.Collectors;

/** Lock ids in messages. */
final class LockIds {

    /** More ids of a large collection would make the message unreadable. */
    private static final int MOST = 10;

    private LockIds() {}

    /** {@code lock 'a'}, or {@code locks 'a', 'b'}. */
    static String text(List<String> lockIds) {
        String first = lockIds.stream().limit(MOST).map(id -> "'" + id + "'").collect(Collectors.joining(", "));
        return (lockIds.size() == 1 ? "lock " : "locks ")
                + first
                + (lockIds.size() > MOST ? " and " + (lockIds.size() - MOST) + " more" : "");
    }
}

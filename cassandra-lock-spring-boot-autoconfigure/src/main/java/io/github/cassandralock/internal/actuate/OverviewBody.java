package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.internal.inspect.LockFigures;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The locks of this process.
 *
 * @param at when, by this machine's clock
 * @param prefix of all ids of the application in the tables; null for none
 * @param session the id of this process's session; null if none is open, or the algorithm has none
 * @param forceRelease whether locks can be released by force here
 * @param held the longest held first; at most the first thousand
 * @param heldCount the number of all that are held
 * @param waiting the longest waiting first; at most the first thousand
 * @param waitingCount the number of all that wait
 * @param figures what has happened in this process since its start
 * @param sessions of all processes; null unless they were requested
 * @param locker whose locks they are; null if the application has one locker
 * @param lockers the names of all lockers; null if the application has one
 */
record OverviewBody(
        String at,
        String algorithm,
        @Nullable String prefix,
        ProcessBody process,
        @Nullable String session,
        boolean forceRelease,
        List<LocalLockBody> held,
        int heldCount,
        List<LocalLockBody> waiting,
        int waitingCount,
        LockFigures figures,
        @Nullable List<SessionBody> sessions,
        @Nullable String locker,
        @Nullable List<String> lockers)
        implements OperationResponseBody {}

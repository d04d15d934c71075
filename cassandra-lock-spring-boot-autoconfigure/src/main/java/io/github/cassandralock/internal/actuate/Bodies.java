package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LockFigures;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The answers of the endpoint, as they become JSON. Times are of this machine's clock: for people, never for decisions. */
final class Bodies {

    private Bodies() {}

    /** ISO 8601, to the millisecond. */
    static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

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
    record Overview(
            String at,
            String algorithm,
            @Nullable String prefix,
            Owner process,
            @Nullable String session,
            boolean forceRelease,
            List<Acquisition> held,
            int heldCount,
            List<Acquisition> waiting,
            int waitingCount,
            LockFigures figures,
            @Nullable List<Session> sessions,
            @Nullable String locker,
            @Nullable List<String> lockers)
            implements OperationResponseBody {}

    /**
     * Who holds one lock, and who waits for it.
     *
     * @param at when it was read, by this machine's clock
     * @param prefix of all ids of the application in the tables; null for none
     * @param holders several if their modes allow it, none if the lock is free; at most the first thousand
     * @param holderCount the number of all holders
     * @param queue those who wait for it, in the order in which they get it; at most the first hundred
     * @param queueLength the number of all who wait
     * @param lastToken the highest fencing token that a holder so far may have shown; null if none was requested
     * @param sessions of the holders and of those in the queue
     * @param heldHere by callers in this process, including callers with a lost lock that is not released yet; the first thousand
     * @param heldHereCount the number of all these callers
     * @param waitingHere calls in this process; at most the first thousand
     * @param waitingHereCount the number of all these calls
     * @param underOther the same lock under the other algorithm of a migration
     */
    record OneLock(
            String at,
            String lockId,
            @Nullable String prefix,
            String algorithm,
            List<Entry> holders,
            int holderCount,
            List<Entry> queue,
            int queueLength,
            @Nullable Long lastToken,
            List<Session> sessions,
            List<Acquisition> heldHere,
            int heldHereCount,
            List<Acquisition> waitingHere,
            int waitingHereCount,
            @Nullable OneLock underOther)
            implements OperationResponseBody {}

    /**
     * A page of the locks of all processes.
     *
     * @param at when it was read, by this machine's clock
     * @param prefix of all ids of the application in the tables; null for none
     * @param locks that are held or waited for; at most a hundred. It may be empty although there is a next page
     * @param next the parameter {@code page} of the next page; null if this page is the last
     * @param unread why locks may be missing; null if none is
     */
    record Locks(
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
        record ListedLock(String lockId, @Nullable Entry holder, int holderCount, int queueLength) {

            private static ListedLock of(LockState state, Instant now) {
                return new ListedLock(
                        state.lockId(),
                        state.holders().stream()
                                .findFirst()
                                .map(entry -> Entry.of(entry, Optional.empty(), now))
                                .orElse(null),
                        state.holderCount(),
                        state.queueLength());
            }
        }

        static Locks of(LockPage page, @Nullable String prefix, Instant now) {
            return new Locks(
                    text(now),
                    prefix,
                    page.locks().stream()
                            .map(state -> ListedLock.of(state, now))
                            .toList(),
                    page.next().orElse(null),
                    page.unread().orElse(null));
        }
    }

    /**
     * A lock that a caller in this process holds or waits for, as the endpoint answers.
     *
     * @param mode in which it is held or requested
     * @param since when it was acquired or requested, by this machine's clock
     * @param forMillis for how long it has been held or waited for
     * @param lost whether the holder has lost it and not released it yet
     */
    record Acquisition(
            String lockId, String mode, String thread, String threadId, String since, long forMillis, boolean lost) {

        static List<Acquisition> of(List<LocalLock> locks, Instant now) {
            return locks.stream()
                    .map(lock -> new Acquisition(
                            lock.lockId(),
                            lock.mode().name(),
                            lock.thread(),
                            lock.threadId(),
                            text(now.minus(lock.age())),
                            lock.age().toMillis(),
                            lock.lost()))
                    .toList();
        }
    }

    /**
     * A holder of a lock, or a request for it, in an answer of the endpoint. Unknown values are null.
     *
     * @param place HOLDER, WAITING, ARRIVING or COMPETING
     * @param mode how it holds or requests the lock: the name of a {@link io.github.cassandralock.LockMode}
     * @param permits how many may hold the lock at once, as it has requested it
     * @param thread the name of the thread, if it is a recorded thread of this process
     * @param threadId names the acquisition
     * @param since when it was acquired or requested, if the thread is recorded; otherwise, when the process last wrote its row
     * @param forMillis how long that is ago
     */
    record Entry(
            String place,
            String mode,
            int permits,
            Owner process,
            boolean thisProcess,
            @Nullable String session,
            @Nullable String thread,
            @Nullable String threadId,
            @Nullable Long ticket,
            @Nullable Long attempt,
            @Nullable String since,
            @Nullable Long forMillis) {

        /** @param local the acquisition, if it is one of this process */
        static Entry of(QueueEntry entry, Optional<LocalLock> local, Instant now) {
            Optional<Duration> age = local.map(LocalLock::age).or(entry::age);
            return new Entry(
                    entry.place().name(),
                    entry.mode().name(),
                    entry.permits(),
                    Owner.of(entry.owner()),
                    entry.ofThisProcess(),
                    entry.session().map(Object::toString).orElse(null),
                    local.map(LocalLock::thread).orElse(null),
                    local.map(LocalLock::threadId).or(entry::threadId).orElse(null),
                    nullable(entry.ticket()),
                    nullable(entry.attempt()),
                    age.map(known -> text(now.minus(known))).orElse(null),
                    age.map(Duration::toMillis).orElse(null));
        }

        static @Nullable Long nullable(OptionalLong value) {
            return value.isPresent() ? value.getAsLong() : null;
        }
    }

    /**
     * A session, as the endpoint answers.
     *
     * @param state ALIVE; OVERDUE if it was not renewed for longer than its lease, and is not declared dead; or DEAD
     * @param ageMillis its approximate age: the number of its renewals times a third of its lease
     * @param sinceRenewalMillis how long ago it was renewed, to a second, by the servers' clocks
     * @param noticesAddress where it receives notices; null if it exchanges none
     */
    record Session(
            String id,
            Owner process,
            String state,
            boolean thisProcess,
            long renewals,
            long ageMillis,
            @Nullable Long sinceRenewalMillis,
            long leaseMillis,
            @Nullable String noticesAddress) {

        static List<Session> of(List<SessionInfo> sessions) {
            return sessions.stream()
                    .sorted(Comparator.comparing((SessionInfo session) -> state(session))
                            .thenComparing(session -> session.owner().text())
                            .thenComparing(session -> session.id().toString()))
                    .map(Session::of)
                    .toList();
        }

        /** In the order in which they are listed. */
        private enum State {
            ALIVE,
            OVERDUE,
            DEAD
        }

        private static State state(SessionInfo session) {
            if (!session.alive()) {
                return State.DEAD;
            }
            return session.isOverdue() ? State.OVERDUE : State.ALIVE;
        }

        private static Session of(SessionInfo session) {
            return new Session(
                    session.id().toString(),
                    Owner.of(session.owner()),
                    state(session).name(),
                    session.ofThisProcess(),
                    session.renewals(),
                    session.age().toMillis(),
                    session.sinceRenewal().map(Duration::toMillis).orElse(null),
                    session.lease().toMillis(),
                    session.noticesAddress().orElse(null));
        }
    }

    /** A process, as the endpoint answers. Unknown values are null. */
    record Owner(
            String owner,
            @Nullable String host,
            @Nullable Long pid,
            @Nullable String application) {

        static Owner of(ProcessOwner owner) {
            return new Owner(
                    owner.text(),
                    owner.host().orElse(null),
                    owner.pid().isPresent() ? owner.pid().getAsLong() : null,
                    owner.application().orElse(null));
        }
    }
}

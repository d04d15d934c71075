package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.RepeatedLook;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds abandoned locks. No object of the application references the handle, or the only thread that may release the lock has
 * ended. Such a lock would be renewed as long as the process runs. It is logged once. Thread-safe; never blocks.
 */
public final class AbandonedLocks {

    /*
     * The locker references neither the handles of callers nor the leash that the handles of one call share. It references the
     * granted locks behind the handles. A callback that references a handle keeps its lock from being abandoned. The locks are
     * checked in intervals, as long as there are any.
     */

    private static final Logger log = LoggerFactory.getLogger(AbandonedLocks.class);
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(5);

    private final AbandonedPolicy policy;
    private final RepeatedLook looks;
    private final Ticker ticker;
    private final Set<GrantedLock> held;
    private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

    /** @param held all locks that are not closed; may be read by any thread */
    public AbandonedLocks(AbandonedPolicy policy, Duration lease, Ticker ticker, Timers timers, Set<GrantedLock> held) {
        this.policy = policy;
        this.held = held;
        this.ticker = ticker;
        Duration third = lease.dividedBy(3);
        Duration interval = third.compareTo(LONGEST_INTERVAL) < 0 ? third : LONGEST_INTERVAL;
        this.looks = new RepeatedLook(timers, interval, () -> !held.isEmpty(), this::look);
    }

    /** Referenced by the handles of locks that one call has taken together. */
    public static final class Leash {}

    /** The locks of one call. They reference this object, so it ends with them. */
    static final class Hold extends PhantomReference<Object> {

        private final GrantedLock first;
        private final List<GrantedLock> others;

        /** Where the call was made; null if that was not recorded. */
        private final @Nullable Throwable callSite;

        /** If this thread ends before it has released the locks, they are abandoned; null if any thread releases them. */
        private volatile @Nullable Thread thread;

        /** Whether it was found before. Used by one check at a time. */
        private boolean found;

        private Hold(
                Object callers, ReferenceQueue<Object> queue, List<GrantedLock> locks, @Nullable Throwable callSite) {
            super(callers, queue);
            this.first = locks.get(0);
            this.others = locks.size() == 1 ? List.of() : locks.subList(1, locks.size());
            this.callSite = callSite;
        }

        void bindTo(Thread closing) {
            thread = closing;
        }

        private boolean isOfEndedThread() {
            Thread present = thread;
            return present != null && !present.isAlive();
        }

        private Stream<GrantedLock> open() {
            return Stream.concat(Stream.of(first), others.stream()).filter(lock -> !lock.isClosed());
        }
    }

    /** The stack of the calling thread; null if it is not recorded. */
    public @Nullable Throwable callSite() {
        return policy != AbandonedPolicy.IGNORE && log.isDebugEnabled() ? new Throwable("where it was taken") : null;
    }

    /**
     * Watches locks that a caller gets.
     *
     * @param callers is referenced by what the caller gets, and by nothing else
     * @param callSite where the call was made; null if that was not recorded
     */
    public void delivered(Object callers, List<GrantedLock> locks, @Nullable Throwable callSite) {
        if (policy != AbandonedPolicy.IGNORE) {
            Hold hold = new Hold(callers, unreachable, locks, callSite);
            locks.forEach(lock -> lock.watchedBy(hold));
            looks.begin();
        }
    }

    private void look() {
        for (Reference<?> gone = unreachable.poll(); gone != null; gone = unreachable.poll()) {
            if (gone instanceof Hold hold) {
                abandoned(hold, "no object of the application references its RemoteLock");
            }
        }
        for (GrantedLock lock : held) {
            Hold hold = lock.watch();
            if (hold != null && hold.isOfEndedThread()) {
                abandoned(hold, "the thread that took it, and alone may unlock it, has ended");
            }
        }
    }

    private void abandoned(Hold hold, String why) {
        if (hold.found) {
            return;
        }
        hold.found = true;
        hold.open().forEach(lock -> {
            if (lock.isHeld()) {
                warn(lock, why, hold.callSite);
            }
            if (policy == AbandonedPolicy.RELEASE || !lock.isHeld()) {
                lock.releaseInBackground();
            }
        });
    }

    private void warn(GrantedLock lock, String why, @Nullable Throwable callSite) {
        Duration age = Duration.ofNanos(ticker.nanos() - lock.grantedAt());
        log.warn(
                "Lock '" + lock.lockId() + "' was never closed, and nobody can do that any more: " + why
                        + ". Thread '"
                        + lock.thread() + "' took it " + DurationText.of(age) + " ago. "
                        + (policy == AbandonedPolicy.RELEASE
                                ? "It is released now."
                                : "It stays taken as long as this process runs; with cassandra-lock.release-abandoned=true, such"
                                        + " locks are released.")
                        + " Close locks in a try statement"
                        + (callSite == null
                                ? "; the level DEBUG of the logger " + log.getName() + " shows where they are taken"
                                : ""),
                callSite);
    }
}

package io.github.cassandralock.testing.workload;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * One thread that takes locks in every way there is, converts them, counts under them, and records what happens. In modes that do not exclude other
 * writers it does not count; it reads the counter before and after its work.
 */
public final class LockUser {

    private static final long LOOKS_NANOS = 20_000_000;
    private static final int LONGEST_CONVERSION_MILLIS = 300;

    /** A handle that is converted more often may need more slots than there are. */
    private static final int MOST_CONVERSIONS = 4;

    private final String worker;
    private final String thread;
    private final RemoteLocker locker;
    private final ProtectedResource resource;
    private final UsagePattern pattern;
    private final RandomGenerator random;
    private final Consumer<Event> journal;
    private long attempt;

    /** The attempt by which the present lock was taken. */
    private long handle;

    private long registered;

    public LockUser(
            String worker,
            String thread,
            RemoteLocker locker,
            ProtectedResource resource,
            UsagePattern pattern,
            RandomGenerator random,
            Consumer<Event> journal) {
        this.worker = worker;
        this.thread = thread;
        this.locker = locker;
        this.resource = resource;
        this.pattern = pattern;
        this.random = random;
        this.journal = journal;
    }

    /** Asks for a lock once. Its outcome is recorded. */
    public void useOnce() throws IOException, InterruptedException {
        attempt++;
        handle = attempt;
        LockRequest request = pattern.lock(random);
        asked(request.getLockId(), request.getMode());
        try {
            Optional<RemoteLock> lock = take(request);
            if (lock.isEmpty()) {
                ended(Outcome.REFUSED, "");
            } else {
                use(lock.get());
            }
        } catch (LockTimeoutException e) {
            ended(Outcome.TIMED_OUT, e.toString());
        } catch (LockLostException e) {
            ended(Outcome.LOST, e.toString());
        } catch (LockStoreException e) {
            ended(Outcome.FAILED, e.toString());
        }
    }

    private Optional<RemoteLock> take(LockRequest request) throws InterruptedException {
        return switch (random.nextInt(10)) {
            case 0, 1 -> locker.tryGetLock(request);
            case 2 -> takeAsynchronously(request);
            default -> Optional.of(locker.getLock(request, pattern.patience()));
        };
    }

    private Optional<RemoteLock> takeAsynchronously(LockRequest request) throws InterruptedException {
        CompletableFuture<RemoteLock> lock = locker.getLockAsync(request);
        try {
            return Optional.of(lock.get(pattern.patience().toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            if (lock.cancel(false)) {
                throw new LockTimeoutException(request.getLockId(), "cancelled after " + pattern.patience());
            }
            return Optional.of(lock.join());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LockException failure) {
                throw failure;
            }
            throw new IllegalStateException("A stage of a lock failed with what no caller expects", e);
        }
    }

    private void asked(String lockId, LockMode mode) {
        journal.accept(new Event.Asked(thread, attempt, System.nanoTime(), lockId, mode, handle));
    }

    private void use(RemoteLock lock) throws IOException, InterruptedException {
        Outcome outcome;
        try (lock) {
            registered = Event.NO_TOKEN;
            outcome = workUnder(lock) ? Outcome.RELEASED : Outcome.LOST;
            Optional<LockMode> next = pattern.conversion(random);
            for (int more = MOST_CONVERSIONS; more > 0 && outcome == Outcome.RELEASED && next.isPresent(); more--) {
                ended(outcome, "");
                outcome = workConverted(lock, next.get());
                next = pattern.conversion(random);
            }
        }
        ended(outcome, "");
    }

    /** Two that convert up may wait for each other, so they do not wait for long. */
    private Outcome workConverted(RemoteLock lock, LockMode mode) throws IOException, InterruptedException {
        boolean keptWritersOut = lock.getMode().covers(LockMode.PROTECTED_READ);
        long startedAt = System.nanoTime();
        long before = resource.read(lock.getLockId());
        attempt++;
        asked(lock.getLockId(), mode);
        if (!converted(lock, mode)) {
            return Outcome.REFUSED;
        }
        long after = resource.read(lock.getLockId());
        if (keptWritersOut && mode.covers(LockMode.PROTECTED_READ) && lock.isHeld()) {
            journal.accept(new Event.Converted(thread, attempt, startedAt, before, after));
        }
        return workUnder(lock) ? Outcome.RELEASED : Outcome.LOST;
    }

    private boolean converted(RemoteLock lock, LockMode mode) {
        if (random.nextInt(3) == 0) {
            return lock.tryConvert(mode);
        }
        try {
            lock.convert(mode, Duration.ofMillis(random.nextInt(1, LONGEST_CONVERSION_MILLIS)));
            return true;
        } catch (LockTimeoutException e) {
            return false;
        }
    }

    /** Returns whether it was held until the end. */
    private boolean workUnder(RemoteLock lock) throws IOException, InterruptedException {
        long enteredAt = System.nanoTime();
        if (!lock.isHeld()) {
            return false;
        }
        String lockId = lock.getLockId();
        boolean counts = lock.getMode().covers(LockMode.PROTECTED_WRITE);
        long token = pattern.tokens() ? lock.reserveFencingToken() : Event.NO_TOKEN;
        long value = resource.read(lockId);
        long work = pattern.workNanos(random);
        journal.accept(new Event.Entered(thread, attempt, enteredAt, token, value, work));
        boolean refused = counts && isRefused(lockId, token);
        long heldUntil = work(lock, enteredAt, work);
        long after = counts ? counted(lockId, value + 1) : resource.read(lockId);
        long leftAt = System.nanoTime();
        boolean held = lock.isHeld();
        journal.accept(new Event.Left(thread, attempt, leftAt, heldUntil, after, held, refused));
        return held;
    }

    /** Works for so long, even if the lock is lost. Returns a time when it was still held. */
    private static long work(RemoteLock lock, long since, long nanos) throws InterruptedException {
        long begin = System.nanoTime();
        long heldUntil = since;
        long now = begin;
        while (now - begin < nanos) {
            TimeUnit.NANOSECONDS.sleep(Math.min(LOOKS_NANOS, begin + nanos - now));
            now = System.nanoTime();
            if (lock.isHeld()) {
                heldUntil = now;
            }
        }
        return heldUntil;
    }

    /** A conversion down does not change the token. */
    private boolean isRefused(String lockId, long token) throws IOException {
        if (token == registered) {
            return false;
        }
        registered = token;
        return !resource.register(lockId, token, worker, attempt);
    }

    private long counted(String lockId, long value) throws IOException {
        resource.write(lockId, value);
        return value;
    }

    private void ended(Outcome outcome, String detail) {
        journal.accept(new Event.Ended(thread, attempt, System.nanoTime(), outcome, detail));
    }
}

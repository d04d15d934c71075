package io.github.cassandralock.testing.workload;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/** How the threads of one process use locks. Thread-safe. */
public final class UsagePattern {

    private static final int SHORT_WORK_NANOS = 15_000_000;
    private static final int ONE_CONVERTS_IN = 3;

    private final List<String> lockIds;
    private final Duration patience;
    private final Duration longWork;
    private final int oneIn;
    private final boolean tokens;
    private final List<LockMode> modes;
    private final boolean converts;
    private final AtomicBoolean longWorkIsDue = new AtomicBoolean();

    /**
     * @param lockIds from which to choose
     * @param patience how long they wait for a lock
     * @param longWork how long they keep one once in a while
     * @param oneIn so many are kept for that long
     * @param tokens whether the algorithm has fencing tokens
     */
    public UsagePattern(List<String> lockIds, Duration patience, Duration longWork, int oneIn, boolean tokens) {
        this(lockIds, patience, longWork, oneIn, tokens, List.of(LockMode.EXCLUSIVE), false);
    }

    private UsagePattern(
            List<String> lockIds,
            Duration patience,
            Duration longWork,
            int oneIn,
            boolean tokens,
            List<LockMode> modes,
            boolean converts) {
        this.converts = converts;
        this.modes = List.copyOf(modes);
        this.lockIds = List.copyOf(lockIds);
        this.patience = patience;
        this.longWork = longWork;
        this.oneIn = oneIn;
        this.tokens = tokens;
    }

    /**
     * The same, with locks in different modes.
     *
     * @param from which to choose; one that occurs twice is chosen twice as often
     */
    public UsagePattern inModes(List<LockMode> from) {
        return new UsagePattern(lockIds, patience, longWork, oneIn, tokens, from, converts);
    }

    /** The same, and one holder in {@value #ONE_CONVERTS_IN} converts its lock to another of the modes. */
    public UsagePattern withConversions() {
        return new UsagePattern(lockIds, patience, longWork, oneIn, tokens, modes, true);
    }

    /** The next one that gets a lock keeps it for long. */
    public void letNextWorkBeLong() {
        longWorkIsDue.set(true);
    }

    LockRequest lock(RandomGenerator random) {
        return LockRequest.of(any(lockIds, random)).mode(any(modes, random));
    }

    /** To which a held lock is to be converted next; empty if it is to be given back. */
    Optional<LockMode> conversion(RandomGenerator random) {
        return converts && random.nextInt(ONE_CONVERTS_IN) == 0 ? Optional.of(any(modes, random)) : Optional.empty();
    }

    private static <T> T any(List<T> from, RandomGenerator random) {
        return from.get(random.nextInt(from.size()));
    }

    Duration patience() {
        return patience;
    }

    boolean tokens() {
        return tokens;
    }

    /** Half of all locks are given back at once. */
    long workNanos(RandomGenerator random) {
        if (longWorkIsDue.compareAndSet(true, false) || random.nextInt(oneIn) == 0) {
            return longWork.toNanos();
        }
        return random.nextBoolean() ? 0 : random.nextInt(SHORT_WORK_NANOS);
    }
}

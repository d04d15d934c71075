package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.majority.Maturity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one cluster, of which the algorithm {@code majority} needs three or five: a correct queue of one lock
 * with the sessions of processes, the birth row and the tokens. Each request is performed at one instant. The tables
 * can be emptied.
 */
final class SimulatedCluster {

    /** @param number in the order in which the session's changes were decided */
    private record Entry(UUID session, String thread, long number) {

        boolean is(UUID otherSession, String otherThread) {
            return session.equals(otherSession) && thread.equals(otherThread);
        }
    }

    private final SimulatedTime time;
    private final Duration lease;
    private final Map<UUID, Long> sessions = new HashMap<>();
    private final List<Entry> queue = new ArrayList<>();
    private final Map<String, Long> released = new HashMap<>();
    private final Map<UUID, Long> tokens = new HashMap<>();
    private @Nullable Birth birth;
    private boolean down;

    SimulatedCluster(SimulatedTime time, Duration lease) {
        this.time = time;
        this.lease = lease;
    }

    boolean isDown() {
        return down;
    }

    void down(boolean isDown) {
        down = isDown;
    }

    /** Everything is lost. */
    void empty() {
        empty(Loss.ALL);
    }

    /** Tokens are in the table of slots. */
    void empty(Loss loss) {
        birth = null;
        if (loss.ofSessions()) {
            sessions.clear();
        }
        if (loss.ofSlots()) {
            queue.clear();
            released.clear();
            tokens.clear();
        }
    }

    boolean isMature() {
        return birth != null && birth.maturity().compareTo(Maturity.MATURE) >= 0;
    }

    boolean isTokenMature() {
        return birth != null && birth.maturity() == Maturity.TOKEN_MATURE;
    }

    boolean open(UUID session) {
        sessions.put(session, time.now() + lease.toNanos());
        return true;
    }

    /** Returns false if the session is not alive. */
    boolean renew(UUID session) {
        return isAlive(session) && open(session);
    }

    private boolean isAlive(UUID session) {
        return sessions.getOrDefault(session, Long.MIN_VALUE) > time.now();
    }

    boolean enqueue(UUID session, String thread, long number) {
        boolean late = released.getOrDefault(thread, 0L) > number;
        if (!late && queue.stream().noneMatch(entry -> entry.is(session, thread))) {
            queue.add(new Entry(session, thread, number));
        }
        return true;
    }

    /** Whether the thread is first. Those of dead sessions are evicted; a session that has no row is dead. */
    boolean isFirst(UUID session, String thread) {
        evictOthers(session);
        return !queue.isEmpty() && queue.get(0).is(session, thread);
    }

    boolean isThere(UUID session, String thread) {
        return queue.stream().anyMatch(entry -> entry.is(session, thread));
    }

    private void evictOthers(UUID session) {
        queue.removeIf(entry -> !entry.session().equals(session) && !isAlive(entry.session()));
    }

    /** Returns whether the lock was free. */
    boolean tryLock(UUID session, String thread, long number) {
        evictOthers(session);
        if (queue.isEmpty()) {
            enqueue(session, thread, number);
        }
        return !queue.isEmpty() && queue.get(0).is(session, thread);
    }

    /** By the name of the thread, whatever it has asked for meanwhile. */
    boolean release(String thread, long number) {
        queue.removeIf(entry -> entry.thread().equals(thread));
        released.merge(thread, number, Math::max);
        return true;
    }

    Optional<Birth> birth() {
        return Optional.ofNullable(birth);
    }

    boolean write(Birth fresh) {
        birth = birth == null ? fresh : birth;
        return true;
    }

    boolean ripen(UUID incarnation, Maturity maturity) {
        if (birth != null
                && birth.incarnation().equals(incarnation)
                && birth.maturity().compareTo(maturity) < 0) {
            birth = new Birth(incarnation, birth.agreement(), maturity);
        }
        return true;
    }

    OptionalLong token(UUID incarnation) {
        Long token = tokens.get(incarnation);
        return token == null ? OptionalLong.empty() : OptionalLong.of(token);
    }

    boolean raise(UUID incarnation, long token) {
        tokens.merge(incarnation, token, Math::max);
        return true;
    }
}

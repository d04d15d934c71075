package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.SessionObserver;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Which of the sessions ahead of one attempt are watched, and which of them are dead. Only tasks of the lock's mailbox use
 * it.
 */
public final class BlockerWatch implements SessionObserver {

    private final LockPartition partition;
    private final Runnable wake;
    private final Set<UUID> watched = new HashSet<>();
    private final Deque<DeadSession> dead = new ArrayDeque<>();

    /** @param wake runs when a watched session was found dead */
    BlockerWatch(LockPartition partition, Runnable wake) {
        this.partition = partition;
        this.wake = wake;
    }

    /** Watches these sessions, and stops watching all others. */
    void watch(Set<UUID> blockers) {
        if (watched.equals(blockers)) {
            return;
        }
        Set<UUID> noMore = new HashSet<>(watched);
        noMore.removeAll(blockers);
        noMore.forEach(session -> sessions().leave(session, this));
        watched.retainAll(blockers);
        blockers.stream().filter(watched::add).forEach(session -> sessions().join(session, this));
    }

    private SessionWatch sessions() {
        return partition.context().watch();
    }

    void end() {
        watch(Set.of());
    }

    /** Removes the session, so that the next call of {@link #watch} watches it again. */
    @Override
    public void unwatched(UUID session) {
        partition.mailbox().execute(() -> watched.remove(session));
    }

    @Override
    public void dead(DeadSession session) {
        partition.mailbox().execute(() -> {
            watched.remove(session.id());
            dead.add(session);
            wake.run();
        });
    }

    /** Whether there is a dead session that has not been returned yet. */
    boolean hasDead() {
        return !dead.isEmpty();
    }

    /** Returns a dead session that this method has not returned yet. */
    Optional<DeadSession> nextDead() {
        return Optional.ofNullable(dead.poll());
    }
}

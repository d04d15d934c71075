package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.session.SessionObserver;
import io.github.cassandralock.internal.session.SessionWatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;

/** Which of the sessions ahead of one attempt are watched, and which have died. Touched in the lock's mailbox alone. */
final class BlockerWatch {

    private final SessionWatch sessions;
    private final Executor mailbox;
    private final Runnable wake;
    private final SessionObserver observer = new SessionObserver() {
        @Override
        public void dead(DeadSession session) {
            died(session);
        }

        @Override
        public void unwatched(UUID session) {
            forget(session);
        }
    };
    private final Set<UUID> watched = new HashSet<>();
    private final Deque<DeadSession> dead = new ArrayDeque<>();

    /** @param wake told when one has died */
    BlockerWatch(SessionWatch sessions, Executor mailbox, Runnable wake) {
        this.sessions = sessions;
        this.mailbox = mailbox;
        this.wake = wake;
    }

    /** Watches these, and none of those watched before that is not among them. */
    void watch(Set<UUID> blockers) {
        Set<UUID> noMore = new HashSet<>(watched);
        noMore.removeAll(blockers);
        noMore.forEach(session -> sessions.leave(session, observer));
        watched.retainAll(blockers);
        blockers.stream().filter(watched::add).forEach(session -> sessions.join(session, observer));
    }

    void end() {
        watch(Set.of());
    }

    /** The next look at the blockers watches it again. */
    private void forget(UUID session) {
        mailbox.execute(() -> watched.remove(session));
    }

    private void died(DeadSession session) {
        mailbox.execute(() -> {
            watched.remove(session.id());
            dead.add(session);
            wake.run();
        });
    }

    /** One that is dead and has not been asked for yet. */
    Optional<DeadSession> nextDead() {
        return Optional.ofNullable(dead.poll());
    }
}

package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.locker.PlainGrant;
import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.majority.BirthStore;
import io.github.cassandralock.internal.majority.Maturity;
import io.github.cassandralock.internal.majority.TokenRegister;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One process's access to the lock of one cluster: first come, first served, with leases of a session that is
 * renewed. A session that was opened before the cluster was emptied is valid until its next renewal, as in Cassandra.
 */
final class SimulatedClusterLock implements LockAlgorithm, BirthStore, TokenRegister {

    private static final Duration POLL = Duration.ofMillis(90);

    private final SimulatedLink link;
    private final SimulatedProcess process;
    private final RandomGenerator random;
    private final Duration lease;
    private final double drift;
    private final Duration latestReport;
    private @Nullable Session session;
    private long numbers;
    private boolean renewalsGetLost;
    private boolean birthsGetLost;

    /** @param latestReport how long after the end of a lease the loss is told at the latest */
    SimulatedClusterLock(
            SimulatedLink link, RandomGenerator random, Duration lease, double drift, Duration latestReport) {
        this.link = link;
        this.process = link.process();
        this.random = random;
        this.lease = lease;
        this.drift = drift;
        this.latestReport = latestReport;
    }

    /** From now on, alone the renewals of the session are not answered. */
    void loseRenewals() {
        renewalsGetLost = true;
    }

    /** From now on, alone the reads of the birth row are not answered. */
    void loseBirths(boolean isLost) {
        birthsGetLost = isLost;
    }

    /** The lease of the process in this cluster. */
    private final class Session {

        private final UUID id = new UUID(random.nextLong(), random.nextLong());
        private final CompletableFuture<Session> opened = new CompletableFuture<>();
        private final Set<Part> parts = new LinkedHashSet<>();
        private long validUntil;
        private boolean lost;

        void open() {
            long sentAt = process.nanos();
            link.ask(cluster -> cluster.open(id)).whenComplete((done, failure) -> {
                if (failure != null) {
                    lost = true;
                    opened.completeExceptionally(failure);
                } else {
                    extend(sentAt);
                    renewLater();
                    watchEnd();
                    opened.complete(this);
                }
            });
        }

        private void extend(long sentAt) {
            validUntil = Math.max(validUntil, sentAt + (long) (lease.toNanos() * (1 - drift)));
        }

        boolean isValid() {
            lost |= process.nanos() >= validUntil;
            return !lost;
        }

        private void renewLater() {
            process.after(lease.dividedBy(3)).thenRun(this::renew);
        }

        private void renew() {
            if (!isValid() || renewalsGetLost) {
                return;
            }
            long sentAt = process.nanos();
            link.ask(cluster -> cluster.renew(id)).whenComplete((alive, failure) -> {
                if (!isValid()) {
                    return;
                }
                if (failure != null) {
                    renew();
                } else if (alive) {
                    extend(sentAt);
                    renewLater();
                } else {
                    lose();
                }
            });
        }

        private void watchEnd() {
            process.after(Duration.ofNanos(validUntil - process.nanos())).thenRun(() -> {
                if (isValid()) {
                    watchEnd();
                } else {
                    lose();
                }
            });
        }

        void lose() {
            lost = true;
            Duration late = Duration.ofNanos(random.nextLong(latestReport.toNanos() + 1));
            process.after(late)
                    .thenRun(() -> List.copyOf(parts)
                            .forEach(part -> part.abandon(new LockLoss(LockLoss.Reason.OTHER, "its session is lost"))));
        }
    }

    private final class Part extends PlainGrant {

        private final Session of;
        private final String thread;

        Part(Session of, String thread) {
            this.of = of;
            this.thread = thread;
            of.parts.add(this);
        }

        @Override
        public boolean isValid() {
            return super.isValid() && of.isValid();
        }

        @Override
        public CompletionStage<Long> reserveFencingToken() {
            throw new UnsupportedOperationException("a cluster's own tokens are of no use");
        }

        @Override
        public CompletionStage<Void> release() {
            super.release();
            of.parts.remove(this);
            CompletableFuture<Void> released = new CompletableFuture<>();
            giveBack(of, thread, ++numbers, released);
            return released;
        }
    }

    /** Repeated until it is acknowledged, or the session is over. */
    private void giveBack(Session of, String thread, long number, CompletableFuture<Void> released) {
        link.ask(cluster -> cluster.release(thread, number)).whenComplete((done, failure) -> {
            if (failure == null || !of.isValid()) {
                released.complete(null);
            } else {
                giveBack(of, thread, number, released);
            }
        });
    }

    private CompletableFuture<Session> session() {
        Session present = session;
        if (present == null || (present.opened.isDone() && !present.isValid())) {
            present = new Session();
            session = present;
            present.open();
        }
        return present.opened;
    }

    private final class SentRequest implements Attempt {

        private final String thread;
        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        private @Nullable Session of;
        private int failures;

        SentRequest(String thread) {
            this.thread = thread;
        }

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        @Override
        public void giveUp() {
            end(new CancellationException("given up"));
        }

        private void end(Throwable failure) {
            if (outcome.completeExceptionally(failure)) {
                leave();
            }
        }

        private void leave() {
            if (of != null) {
                giveBack(of, thread, ++numbers, new CompletableFuture<>());
            }
        }

        void queue(long number) {
            withSession(
                    () -> queue(number),
                    opened -> link.ask(cluster -> cluster.enqueue(opened.id, thread, number))
                            .whenComplete((done, failure) -> {
                                if (failure != null) {
                                    again(failure, () -> queue(number));
                                } else {
                                    poll(opened, number);
                                }
                            }));
        }

        private void withSession(Runnable again, Consumer<Session> next) {
            if (outcome.isDone()) {
                return;
            }
            session().whenComplete((opened, failure) -> {
                if (outcome.isDone()) {
                    return;
                }
                if (failure != null) {
                    again(failure, again);
                } else {
                    of = opened;
                    next.accept(opened);
                }
            });
        }

        private void again(Throwable failure, Runnable next) {
            if (++failures > 8) {
                end(failure);
            } else {
                process.after(POLL).thenRun(next);
            }
        }

        private void poll(Session opened, long number) {
            if (outcome.isDone()) {
                return;
            }
            if (!opened.isValid()) {
                queue(++numbers);
                return;
            }
            link.ask(cluster -> cluster.isFirst(opened.id, thread) ? 1 : cluster.isThere(opened.id, thread) ? 0 : -1)
                    .whenComplete((place, failure) -> {
                        if (outcome.isDone()) {
                            return;
                        }
                        if (failure != null) {
                            again(failure, () -> poll(opened, number));
                        } else {
                            failures = 0;
                            read(opened, number, place);
                        }
                    });
        }

        private void read(Session opened, long number, int place) {
            if (place > 0 && opened.isValid()) {
                grant(opened);
            } else if (place < 0) {
                opened.renew();
                process.after(POLL).thenRun(() -> queue(number));
            } else {
                Duration pause = Duration.ofNanos(random.nextLong(POLL.toNanos()) + 1);
                process.after(pause).thenRun(() -> poll(opened, number));
            }
        }

        private void grant(Session opened) {
            Part part = new Part(opened, thread);
            if (!outcome.complete(Optional.of(part))) {
                opened.parts.remove(part);
            }
        }

        void once(long number) {
            withSession(
                    () -> once(number),
                    opened -> link.ask(cluster -> cluster.tryLock(opened.id, thread, number))
                            .whenComplete((free, failure) -> {
                                if (failure != null) {
                                    end(failure);
                                } else if (!free) {
                                    outcome.complete(Optional.empty());
                                } else if (opened.isValid()) {
                                    grant(opened);
                                } else {
                                    end(new TimeoutException("the session was lost"));
                                }
                            }));
        }
    }

    @Override
    public String getName() {
        return "simulated";
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        SentRequest asked = new SentRequest(request.threadId());
        if (request.waits()) {
            asked.queue(++numbers);
        } else {
            asked.once(++numbers);
        }
        return asked;
    }

    @Override
    public void abandonAll(LockLoss loss) {
        Session present = session;
        session = null;
        if (present != null) {
            present.lose();
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Optional<Birth>> read() {
        return birthsGetLost ? new CompletableFuture<>() : link.ask(SimulatedCluster::birth);
    }

    @Override
    public CompletionStage<Void> write(Birth fresh) {
        return link.ask(cluster -> cluster.write(fresh)).thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Void> ripen(UUID incarnation, Maturity maturity) {
        return link.ask(cluster -> cluster.ripen(incarnation, maturity)).thenAccept(done -> {});
    }

    @Override
    public CompletionStage<OptionalLong> read(String lockId, UUID incarnation) {
        return link.ask(cluster -> cluster.token(incarnation));
    }

    @Override
    public CompletionStage<Void> raise(String lockId, UUID incarnation, long token) {
        return link.ask(cluster -> cluster.raise(incarnation, token)).thenAccept(done -> {});
    }
}

package io.github.cassandralock.internal.observation;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.observation.LockHoldContext;
import io.github.cassandralock.observation.LockObservation;
import io.github.cassandralock.observation.LockWaitContext;
import io.github.cassandralock.observation.LockWaitContext.Outcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes each call for a lock and each hold. Both have the observation as their parent that is current when the call is made,
 * so a trace shows the wait and then the hold. No scope stays open on the caller's thread: a lock may be closed on another one.
 * {@link #hold} finds the observation of a hold for those who know on which thread the work is done. Thread-safe.
 */
public final class LockObservations implements CallObserver {

    private final ObservationRegistry registry;
    private final Conventions conventions;
    private final CallTimers timers;
    private final Ticker ticker;

    /** The observations of the holds, by the names of the acquisitions. */
    private final ConcurrentMap<String, Observation> holds = new ConcurrentHashMap<>();

    /**
     * @param registry {@link ObservationRegistry#NOOP} if calls are to be timed only
     * @param timers time what the registry's handlers do not
     */
    public LockObservations(ObservationRegistry registry, Conventions conventions, CallTimers timers, Ticker ticker) {
        this.registry = registry;
        this.conventions = conventions;
        this.timers = timers;
        this.ticker = ticker;
    }

    @Override
    public Call asked(LockRequest request, String threadId, boolean waits) {
        if (registry.isNoop() && !timers.areOn()) {
            return Call.UNOBSERVED;
        }
        LockWaitContext context = new LockWaitContext(
                request.lockId(),
                waits ? Strategy.GET_LOCK : Strategy.TRY_GET_LOCK,
                request.mode(),
                conventions.name(request.lockId()));
        Observation parent = registry.getCurrentObservation();
        Observation observation = LockObservation.WAIT.observation(
                conventions.ownWait(), Conventions.DEFAULT_WAIT, () -> context, registry);
        long askedAt = ticker.nanos();
        observation.start();
        return new Waiting(threadId, context, observation, parent, askedAt);
    }

    @Override
    public Context context() {
        Observation present = registry.getCurrentObservation();
        return present == null ? Context.NONE : () -> present.openScope()::close;
    }

    /** The observation of a hold; empty if it is not observed, its lock has been closed, or it is a lock of a test's own. */
    public Optional<Observation> hold(RemoteLock lock) {
        return Optional.ofNullable(lock.getThreadId()).map(holds::get);
    }

    /** Where the present observation of a thread is found. */
    public ObservationRegistry registry() {
        return registry;
    }

    private Duration since(long then) {
        return Duration.ofNanos(ticker.nanos() - then);
    }

    private final class Waiting implements Call {

        private final String threadId;
        private final LockWaitContext context;
        private final Observation observation;
        private final @Nullable ObservationView parent;
        private final long askedAt;

        Waiting(
                String threadId,
                LockWaitContext context,
                Observation observation,
                @Nullable ObservationView parent,
                long askedAt) {
            this.threadId = threadId;
            this.context = context;
            this.observation = observation;
            this.parent = parent;
            this.askedAt = askedAt;
        }

        @Override
        public Hold granted() {
            end(Outcome.ACQUIRED);
            LockHoldContext held = new LockHoldContext(
                    context.getLockId(),
                    context.getMode(),
                    context.getLockName().orElse(null));
            Observation hold = LockObservation.HOLD.observation(
                    conventions.ownHold(), Conventions.DEFAULT_HOLD, () -> held, registry);
            held.setParentObservation(parent);
            long grantedAt = ticker.nanos();
            hold.start();
            if (!hold.isNoop()) {
                holds.put(threadId, hold);
            }
            return new Holding(threadId, held, hold, grantedAt);
        }

        @Override
        public void refused() {
            end(Outcome.REFUSED);
        }

        @Override
        public void failed(Throwable reason) {
            Outcome outcome = outcome(reason);
            if (outcome != Outcome.CANCELLED && outcome != Outcome.TIMED_OUT) {
                context.setError(reason);
                observation.error(reason);
            }
            end(outcome);
        }

        /** A time-out is an answer that the caller has allowed for; callers to whom it is an error have a span of their own. */
        private static Outcome outcome(Throwable reason) {
            if (reason instanceof LockTimeoutException) {
                return Outcome.TIMED_OUT;
            } else if (reason instanceof LockInterruptedException) {
                return Outcome.INTERRUPTED;
            }
            return reason instanceof CancellationException ? Outcome.CANCELLED : Outcome.FAILED;
        }

        private void end(Outcome outcome) {
            context.setOutcome(outcome);
            try {
                timers.record(
                        conventions.waiting().getName(),
                        conventions.waiting().getLowCardinalityKeyValues(context),
                        since(askedAt),
                        context);
            } finally {
                observation.stop();
            }
        }
    }

    private final class Holding implements Hold {

        private final String threadId;
        private final LockHoldContext context;
        private final Observation observation;
        private final long grantedAt;

        Holding(String threadId, LockHoldContext context, Observation observation, long grantedAt) {
            this.threadId = threadId;
            this.context = context;
            this.observation = observation;
            this.grantedAt = grantedAt;
        }

        @Override
        public void released(Optional<LockLostException> loss) {
            holds.remove(threadId, observation);
            context.setOutcome(loss.isPresent() ? LockHoldContext.Outcome.LOST : LockHoldContext.Outcome.RELEASED);
            loss.ifPresent(reason -> {
                context.setError(reason);
                observation.error(reason);
            });
            try {
                timers.record(
                        conventions.holding().getName(),
                        conventions.holding().getLowCardinalityKeyValues(context),
                        since(grantedAt),
                        context);
            } finally {
                observation.stop();
            }
        }
    }
}

package io.github.cassandralock.internal.observation;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.aop.WorkTracing;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.observation.DefaultLockHoldObservationConvention;
import io.github.cassandralock.observation.DefaultLockWaitObservationConvention;
import io.github.cassandralock.observation.LockHoldContext;
import io.github.cassandralock.observation.LockHoldObservationConvention;
import io.github.cassandralock.observation.LockNames;
import io.github.cassandralock.observation.LockObservation;
import io.github.cassandralock.observation.LockWaitContext;
import io.github.cassandralock.observation.LockWaitContext.Outcome;
import io.github.cassandralock.observation.LockWaitObservationConvention;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes each call for a lock and each hold. The parent of both is the observation at the call, so a trace shows the wait and
 * then the hold. No scope stays open on the caller's thread, because another thread may close the lock. The work of annotated
 * methods runs in scopes of the hold. If a handler of observations throws there, that is logged, and the work continues.
 * Thread-safe.
 */
public final class LockObservations implements CallObserver, WorkTracing {

    private static final Logger log = LoggerFactory.getLogger(LockObservations.class);
    private static final LockWaitObservationConvention DEFAULT_WAIT = new DefaultLockWaitObservationConvention();
    private static final LockHoldObservationConvention DEFAULT_HOLD = new DefaultLockHoldObservationConvention();

    private final ObservationRegistry registry;
    private final @Nullable MeteredCalls meters;
    private final @Nullable LockWaitObservationConvention ownWait;
    private final @Nullable LockHoldObservationConvention ownHold;
    private final @Nullable LockNames names;
    private final KeyValues keys;
    private final RepeatedWarning scopeFailed;
    private final Ticker ticker = Ticker.system();

    /** The observations of the holds, by the names of the acquisitions. */
    private final ConcurrentMap<String, Observation> holds = new ConcurrentHashMap<>();

    /**
     * @param registry {@link ObservationRegistry#NOOP} if calls are to be timed only
     * @param meters time what the registry's handlers do not; null without meters
     * @param ownWait the application's convention; null: the registry's global convention, otherwise the default
     * @param ownHold the application's convention; null: the registry's global convention, otherwise the default
     * @param names null: locks have no names
     * @param keys of each observation, with few values
     * @param timers for a warning that may come in thousands
     */
    public LockObservations(
            ObservationRegistry registry,
            @Nullable MeteredCalls meters,
            @Nullable LockWaitObservationConvention ownWait,
            @Nullable LockHoldObservationConvention ownHold,
            @Nullable LockNames names,
            KeyValues keys,
            Timers timers) {
        this.registry = registry;
        this.meters = meters;
        this.ownWait = ownWait;
        this.ownHold = ownHold;
        this.names = names;
        this.keys = keys;
        this.scopeFailed = new RepeatedWarning(log, timers);
    }

    @Override
    public Call requested(LockRequest request, String threadId, boolean waits) {
        if (registry.isNoop() && meters == null) {
            return Call.UNOBSERVED;
        }
        LockWaitContext context = new LockWaitContext(
                request.getLockId(),
                waits ? Strategy.GET_LOCK : Strategy.TRY_GET_LOCK,
                request.getMode(),
                names == null
                        ? null
                        : Objects.requireNonNullElse(names.nameOf(request.getLockId()), KeyValue.NONE_VALUE));
        Observation parent = registry.getCurrentObservation();
        return new ObservedCall(
                threadId, parent, new Timed<>(LockObservation.WAIT, ownWait, DEFAULT_WAIT, context, parent));
    }

    @Override
    public Context context() {
        Observation present = registry.getCurrentObservation();
        return present == null ? Context.NONE : () -> present.openScope()::close;
    }

    /** The observation of a hold; null if it is not observed, its lock has been closed, or the lock belongs to a test. */
    @Override
    public @Nullable Object hold(RemoteLock lock) {
        return Optional.ofNullable(lock.getThreadId()).map(holds::get).orElse(null);
    }

    @Override
    public Scope open(@Nullable Object observation) {
        if (observation instanceof Observation present) {
            Observation.Scope before = registry.getCurrentObservationScope();
            try {
                Observation.Scope scope = present.openScope();
                return () -> close(scope, before);
            } catch (RuntimeException | Error e) {
                recover(e, before);
            }
        }
        return Scope.NONE;
    }

    private void close(Observation.Scope scope, Observation.@Nullable Scope before) {
        try {
            scope.close();
        } catch (RuntimeException | Error e) {
            recover(e, before);
        }
    }

    /**
     * Restores the earlier scope. A scope with a failed handler would stay on its thread, although the thread's next work is
     * outside the hold.
     */
    private void recover(Throwable failure, Observation.@Nullable Scope before) {
        registry.setCurrentObservationScope(before);
        scopeFailed.warn(
                "A handler of observations failed on the scope of a lock's hold; the lock is not affected", failure);
    }

    /** An observation that has begun, and the time since then. */
    private final class Timed<C extends Observation.Context> {

        private final ObservationConvention<C> convention;
        private final C context;
        private final Observation observation;
        private final long begunAt;

        Timed(
                LockObservation kind,
                @Nullable ObservationConvention<C> own,
                ObservationConvention<C> byDefault,
                C context,
                @Nullable Observation parent) {
            this.convention = own == null ? byDefault : own;
            this.context = context;
            context.addLowCardinalityKeyValues(keys);
            this.observation = kind.observation(own, byDefault, () -> context, registry);
            context.setParentObservation(parent);
            this.begunAt = ticker.nanos();
            observation.start();
        }

        void end(@Nullable Throwable error) {
            if (error != null) {
                context.setError(error);
                observation.error(error);
            }
            try {
                if (meters != null) {
                    meters.record(convention, context, Duration.ofNanos(ticker.nanos() - begunAt));
                }
            } finally {
                observation.stop();
            }
        }
    }

    private final class ObservedCall implements Call {

        private final String threadId;
        private final @Nullable Observation parent;
        private final Timed<LockWaitContext> wait;

        ObservedCall(String threadId, @Nullable Observation parent, Timed<LockWaitContext> wait) {
            this.threadId = threadId;
            this.parent = parent;
            this.wait = wait;
        }

        @Override
        public Consumer<Optional<LockLostException>> granted() {
            end(Outcome.ACQUIRED, null);
            LockWaitContext waited = wait.context;
            LockHoldContext held = new LockHoldContext(
                    waited.getLockId(), waited.getMode(), waited.getLockName().orElse(null));
            Timed<LockHoldContext> hold = new Timed<>(LockObservation.HOLD, ownHold, DEFAULT_HOLD, held, parent);
            if (!hold.observation.isNoop()) {
                holds.put(threadId, hold.observation);
            }
            return loss -> {
                holds.remove(threadId, hold.observation);
                held.end(loss.map(LockLostException::getReason));
                hold.end(loss.orElse(null));
            };
        }

        @Override
        public void refused() {
            end(Outcome.REFUSED, null);
        }

        /** A time-out is no error here: callers for whom it is one have a span of their own. */
        @Override
        public void failed(Throwable reason) {
            if (reason instanceof LockTimeoutException) {
                end(Outcome.TIMED_OUT, null);
            } else if (reason instanceof CancellationException) {
                end(Outcome.CANCELLED, null);
            } else {
                end(reason instanceof LockInterruptedException ? Outcome.INTERRUPTED : Outcome.FAILED, reason);
            }
        }

        private void end(Outcome outcome, @Nullable Throwable error) {
            wait.context.setOutcome(outcome);
            wait.end(error);
        }
    }
}

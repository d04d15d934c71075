package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the calls of one locker to its observer, and to the log at DEBUG. An exception of the observer is logged and has no other
 * effect. Thread-safe.
 */
public final class CallObservers {

    private static final Logger log = LoggerFactory.getLogger(CallObservers.class);

    private final Supplier<CallObserver> observer;
    private final Ticker ticker;
    private final RepeatedWarning failed;

    /** The calls that nobody observes. */
    private final ObservedCall byNobody;

    /**
     * @param observer returns who observes the next call
     * @param failed the warning about an observer that throws
     */
    public CallObservers(Supplier<CallObserver> observer, Ticker ticker, RepeatedWarning failed) {
        this.observer = observer;
        this.ticker = ticker;
        this.failed = failed;
        this.byNobody = new ObservedCall("", LockMode.EXCLUSIVE, "", CallObserver.Call.UNOBSERVED, 0, true);
    }

    /** A call begins. No object is created if nobody observes it. */
    public ObservedCall requested(LockRequest request, String threadId, boolean waits) {
        String lockId = request.getLockId();
        CallObserver.Call call = guarded(
                lockId, CallObserver.Call.UNOBSERVED, () -> observer.get().requested(request, threadId, waits));
        if (call == CallObserver.Call.UNOBSERVED && !log.isDebugEnabled()) {
            return byNobody;
        }
        ObservedCall begun = new ObservedCall(lockId, request.getMode(), threadId, call, ticker.nanos(), false);
        begun.log(() -> (waits ? "requested" : "tried") + begun.inMode() + " by " + threadId);
        return begun;
    }

    /** What the calling thread works for, according to the observer. */
    public CallObserver.Context context(String lockId) {
        return guarded(lockId, CallObserver.Context.NONE, () -> observer.get().context());
    }

    /** Makes a call within this context of another thread. */
    public <T> T within(CallObserver.Context context, String lockId, Supplier<T> call) {
        Runnable end = guarded(lockId, () -> {}, context::open);
        try {
            return call.get();
        } finally {
            guarded(lockId, end);
        }
    }

    /** Calls the observer; returns the other result if it throws. */
    private <T> T guarded(String lockId, T otherwise, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            failed.warn("What observes calls for locks failed on lock '" + lockId + "'; the lock is not affected", e);
            return otherwise;
        }
    }

    private void guarded(String lockId, Runnable call) {
        guarded(lockId, false, () -> {
            call.run();
            return true;
        });
    }

    /**
     * One call for a lock, until its lock is closed. Only the first end that is reported counts. The algorithms log what happens
     * between the begin and the end. Thread-safe.
     */
    public final class ObservedCall {

        private final String lockId;
        private final LockMode mode;
        private final String threadId;
        private final CallObserver.Call call;
        private final long requestedAt;
        private final AtomicBoolean ended;

        private ObservedCall(
                String lockId,
                LockMode mode,
                String threadId,
                CallObserver.Call call,
                long requestedAt,
                boolean ended) {
            this.lockId = lockId;
            this.mode = mode;
            this.threadId = threadId;
            this.call = call;
            this.requestedAt = requestedAt;
            this.ended = new AtomicBoolean(ended);
        }

        /**
         * The caller gets the lock.
         *
         * @param whenClosed registers an action that runs when the lock is closed, with the loss if it was lost before
         */
        public void granted(Consumer<Consumer<Optional<LockLostException>>> whenClosed) {
            Runnable report = () -> {
                Consumer<Optional<LockLostException>> hold = call.granted();
                whenClosed.accept(loss -> guarded(lockId, () -> hold.accept(loss)));
            };
            if (end(report, () -> "granted" + inMode() + " to " + threadId + " after " + since(requestedAt))) {
                long grantedAt = ticker.nanos();
                whenClosed.accept(loss -> log(() -> "closed by " + threadId + " after " + since(grantedAt) + inMode()
                        + (loss.isPresent() ? ", lost before that" : "")));
            }
        }

        /** The lock is taken, and the call does not wait. */
        public void refused() {
            end(call::refused, () -> "refused" + inMode() + " to " + threadId + ", because it is taken");
        }

        /** @param reason what the caller receives */
        public void failed(Throwable reason) {
            end(
                    () -> call.failed(reason),
                    () -> "not granted" + inMode() + " to " + threadId + ", which leaves after " + since(requestedAt)
                            + ": " + reason);
        }

        /** The caller has ended the call itself. */
        public void cancelled() {
            if (!ended.get()) {
                failed(new CancellationException("the caller has ended the call for lock '" + lockId + "'"));
            }
        }

        /** Returns whether this is the end. */
        private boolean end(Runnable report, Supplier<String> text) {
            boolean first = ended.compareAndSet(false, true);
            if (first) {
                guarded(lockId, report);
                log(text);
            }
            return first;
        }

        private void log(Supplier<String> text) {
            if (log.isDebugEnabled()) {
                log.debug("Lock '{}': {}", lockId, text.get());
            }
        }

        /** A part of a sentence; empty for the mode that most locks have. */
        private String inMode() {
            return mode == LockMode.EXCLUSIVE ? "" : " in mode " + mode;
        }

        private String since(long then) {
            return DurationText.of(Duration.ofNanos(ticker.nanos() - then));
        }
    }
}

package io.github.cassandralock.internal.aop;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import org.jspecify.annotations.Nullable;

/**
 * One call of a suspend function. Spring runs the function in a coroutine of its own. If the subscription of its publisher is
 * cancelled, no signal follows, although parts of the function may still run. A call of a proxy that the function has given up may
 * also run on. This element of the coroutine's context receives the coroutine before the function begins. Thread-safe.
 */
final class SuspendedCall extends AbstractCoroutineContextElement implements ThreadContextElement<Unit>, WorkEnd {

    private static final CoroutineContext.Key<SuspendedCall> KEY = new CoroutineContext.Key<>() {};

    /** The call whose function makes this call; null if there is none. */
    private final @Nullable SuspendedCall outer;

    private final Continuation<Object> caller;

    /**
     * The coroutines without a parent that have not ended. They end after their children. Proxies of nested calls and repetitions
     * begin further ones.
     */
    private final Set<Job> coroutines = ConcurrentHashMap.newKeySet();

    private SuspendedCall(Continuation<Object> caller) {
        super(KEY);
        this.caller = caller;
        this.outer = caller.getContext().get(KEY);
    }

    /** @param arguments of the function, and the continuation of its caller */
    @SuppressWarnings("unchecked") // the compiler of Kotlin has erased the type
    static SuspendedCall of(@Nullable Object[] arguments) {
        return new SuspendedCall((Continuation<Object>) arguments[arguments.length - 1]);
    }

    /** Returns the arguments with this element in the context of the continuation. */
    @Override
    public @Nullable Object[] arguments(@Nullable Object[] arguments) {
        @Nullable Object[] observed = Arrays.copyOf(arguments, arguments.length);
        observed[observed.length - 1] =
                new ObservedContinuation(caller, caller.getContext().plus(this));
        return observed;
    }

    /**
     * Called on the thread of a coroutine before it begins or continues there. The coroutine of the caller waits for this call. An
     * aspect may run parts of the function in it.
     */
    @Override
    public Unit updateThreadContext(CoroutineContext context) {
        Job job = context.get(Job.Key);
        if (job != null && job.getParent() == null && job != caller.getContext().get(Job.Key)) {
            begun(job);
        }
        return Unit.INSTANCE;
    }

    private void begun(Job job) {
        if (coroutines.add(job)) {
            job.invokeOnCompletion(failure -> {
                coroutines.remove(job);
                return Unit.INSTANCE;
            });
        }
        if (outer != null) {
            outer.begun(job);
        }
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Unit before) {}

    /** A coroutine that was cancelled before it was seen never begins the function. */
    @Override
    public CompletableFuture<Void> ended() {
        CompletableFuture<?>[] ends = coroutines.stream().map(this::end).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(ends)
                .thenCompose(done -> coroutines.isEmpty() ? CompletableFuture.completedFuture(null) : ended());
    }

    private CompletableFuture<Void> end(Job coroutine) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        coroutine.invokeOnCompletion(failure -> {
            coroutines.remove(coroutine); // perhaps begun() has not registered the removal yet
            end.complete(null);
            return Unit.INSTANCE;
        });
        return end;
    }

    private record ObservedContinuation(Continuation<Object> caller, CoroutineContext context)
            implements Continuation<Object> {

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            caller.resumeWith(result);
        }
    }
}

package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.key.Sums;
import io.github.cassandralock.internal.period.StoredPeriod;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * The period for which one call runs. The call runs only if the period is later than the last completed one. A call without a
 * period always runs.
 *
 * @param period null if the annotation has none
 */
record OncePeriod(@Nullable Comparable<?> period) {

    private static final OncePeriod NONE = new OncePeriod(null);

    /** Returns the period of each call of one method. Thread-safe. */
    @FunctionalInterface
    interface Source {

        /** The method has no period. */
        Source NONE = (root, method, args, names) -> OncePeriod.NONE;

        /**
         * Returns the period of one call.
         *
         * @param names what the call locks
         * @throws IllegalArgumentException if the value is no period, or there is not exactly one lock; the message has the method
         */
        OncePeriod evaluate(LockKeyRoot root, Method method, @Nullable Object[] args, MultiLockRequest names);
    }

    /**
     * Parses the expression of an annotation, whose placeholders are resolved.
     *
     * @throws IllegalStateException if it is not a SpEL expression, or uses a variable that the method does not have
     */
    static Source parse(String text, String methodName, Method method, BeanFactory beanFactory) {
        if (text.isBlank()) {
            return Source.NONE;
        }
        MethodExpression expression =
                MethodExpression.parse("onceFor", text, Sums.NUMBERS, methodName, method, beanFactory);
        return (root, called, args, names) -> {
            requireOneLock(names, expression);
            return of(expression.evaluate(root, called, args), expression);
        };
    }

    private static OncePeriod of(@Nullable Object value, MethodExpression expression) {
        try {
            StoredPeriod.of(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    expression.subject() + " gives no period; the method was not run. " + e.getMessage(), e);
        }
        return new OncePeriod((Comparable<?>) value);
    }

    private static void requireOneLock(MultiLockRequest names, MethodExpression expression) {
        List<LockRequest> requests = names.getRequests();
        if (requests.size() > 1 || requests.get(0).getPath().isPresent()) {
            throw new IllegalArgumentException(expression.subject()
                    + " needs one lock, which keeps the last completed period, but the key names several locks or a path; the method"
                    + " was not run. Name one lock by its id");
        }
    }

    boolean isPresent() {
        return period != null;
    }

    /** Whether the method is to run. */
    boolean begin(RemoteLock lock) {
        return period == null || lock.beginPeriod(period);
    }

    CompletableFuture<Boolean> beginAsync(RemoteLock lock) {
        return period == null ? CompletableFuture.completedFuture(true) : lock.beginPeriodAsync(period);
    }

    /** Records that the method has returned normally. Returns when the record is stored, and throws if it may not be. */
    void complete(RemoteLock lock) {
        if (period != null) {
            lock.completePeriod(period);
        }
    }

    CompletableFuture<Void> completeAsync(RemoteLock lock) {
        return period == null ? CompletableFuture.completedFuture(null) : lock.completePeriodAsync(period);
    }
}

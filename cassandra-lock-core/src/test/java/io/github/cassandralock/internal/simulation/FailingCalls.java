package io.github.cassandralock.internal.simulation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Makes calls of a store fail before anything is sent: with an exception, with an error, or with a failed stage.
 *
 * @param rate the share of calls that fail
 * @param over whether no call fails any more
 */
record FailingCalls(RandomGenerator random, double rate, BooleanSupplier over) {

    /** Returns the store; some of its calls fail. */
    <S> S of(Class<S> port, S store) {
        if (rate == 0) {
            return store;
        }
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
            if (over.getAsBoolean() || random.nextDouble() >= rate) {
                try {
                    return method.invoke(store, args);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
            return switch (random.nextInt(3)) {
                case 0 -> throw new IllegalStateException("the store throws");
                case 1 -> throw new StackOverflowError("the store throws an error");
                default -> CompletableFuture.failedFuture(new IllegalStateException("the store fails at once"));
            };
        }));
    }
}

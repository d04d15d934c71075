package io.github.cassandralock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the method under a distributed lock. On a class or an interface: every public method of it.
 *
 * <pre>{@code
 * @DistributedLock(key = "'account:' + #id")
 * @DistributedLock(key = "#order.id", timeout = "5s")
 * @DistributedLock(key = "sms:#{#phone}", strategy = TRY_GET_LOCK, whenBusy = SKIP)
 * }</pre>
 *
 * <p>The lock is taken before a transaction of the same method begins and released after it has ended. A nested call
 * on the same thread for the same key shares the lock. A method that returns a {@code CompletionStage} holds it until that
 * completes. A method that returns a reactive type which Spring can adapt ({@code Mono}, {@code Flux}, RxJava's, Kotlin's
 * {@code Flow}) takes it for each subscription. A result whose end cannot be seen ({@code Future}, {@code Callable}, {@code
 * Stream}, or a suspend function) is refused when the application starts. Like all proxy-based annotations, it does not see a
 * call from a bean to itself.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedLock {

    /**
     * The lock id: a SpEL expression over the method's parameters ({@code #name}, {@code #a0}, {@code #p0}), {@code
     * #root.target}, {@code #root.method}, {@code #root.args} and beans ({@code @bean}); or a template with {@code
     * #{...}} parts. Property placeholders ({@code ${...}}) are resolved first. A variable that the method does not have is
     * refused when the application starts; a key that is null, or put together from a variable or
     * property that is null, fails the call.
     *
     * @return the expression
     */
    String key();

    /**
     * Whether to wait for the lock, or to be refused at once if someone holds it.
     *
     * @return the strategy
     */
    Strategy strategy() default Strategy.GET_LOCK;

    /**
     * How long to wait at most under {@link Strategy#GET_LOCK}, as Spring writes durations ({@code 5s}, {@code PT5S},
     * {@code ${...}}); more than zero, a hundred years at most. Empty: as long as it takes.
     *
     * @return the longest time to wait
     */
    String timeout() default "";

    /**
     * What a soft attempt does if someone holds the lock.
     *
     * @return whether to skip the method or to throw
     */
    WhenBusy whenBusy() default WhenBusy.SKIP;

    /**
     * What happens to the running method when its lock is lost.
     *
     * @return whether the running thread is interrupted as well
     */
    OnLost onLost() default OnLost.THROW;

    /** How the lock is asked for. */
    enum Strategy {
        /** Mandatory: waits until it holds. */
        GET_LOCK,
        /** Soft: refused at once if someone holds the lock. */
        TRY_GET_LOCK
    }

    /** What a refused soft attempt does. */
    enum WhenBusy {
        /**
         * The method does not run. It returns {@code null}, {@code Optional.empty()}, an empty publisher, or a
         * completed stage of {@code null}; a primitive return type is refused at start-up.
         */
        SKIP,
        /** The method does not run; {@link LockNotAcquiredException} is thrown. */
        THROW
    }

    /** What happens when the lease is lost while the method runs. */
    enum OnLost {
        /** The method runs to its end, then {@link LockLostException} is thrown; a transaction rolls back. */
        THROW,
        /** Besides, the thread that runs the method is interrupted at once. */
        INTERRUPT
    }
}

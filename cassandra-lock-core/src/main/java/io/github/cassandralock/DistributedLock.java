package io.github.cassandralock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the method under a distributed lock. On a class or an interface it applies to every public method of the type.
 *
 * <pre>{@code
 * @DistributedLock(key = "'account:' + #id")
 * @DistributedLock(key = "#order.id", timeout = "5s")
 * @DistributedLock(key = "'prices'", mode = LockMode.PROTECTED_READ)
 * @DistributedLock(key = "sms:#{#phone}", strategy = TRY_GET_LOCK, whenBusy = SKIP)
 * }</pre>
 *
 * <p>The lock is taken before a transaction of the same method begins, and released after the transaction has ended. A nested call
 * on the same thread with the same key uses the lock of the outer call, if the outer mode covers its own.
 *
 * <p>The return type determines how long the lock is held:
 *
 * <ul>
 *   <li>{@code CompletionStage}: until the stage completes.
 *   <li>A reactive type that Spring can adapt ({@code Mono}, {@code Flux}, types of RxJava, {@code Flow} of Kotlin): each
 *       subscription takes the lock, and releases it when it ends. So does each call of a suspend function of Kotlin.
 *   <li>{@code Future}, {@code Callable}, {@code Stream} and similar types: the application does not start, because the aspect
 *       cannot detect when their work ends.
 *   <li>{@code Object}: the returned value decides.
 *   <li>Any other type: until the method returns.
 * </ul>
 *
 * <p>The method finds its lock by the bean {@link CurrentLock}, for example to check it or to read its fencing token.
 *
 * <p>The annotation needs a Spring proxy: a call from a bean to itself takes no lock.
 *
 * <p>A call throws the exceptions of {@link RemoteLocker#getLock(String, java.time.Duration)} or {@link
 * RemoteLocker#tryGetLock(String)}; a publisher fails with them. The call throws {@link LockLostException} after the method has
 * returned, if the lock was lost meanwhile; a stage or a publisher fails with it. An invalid annotation, or an attribute that is
 * blank when its placeholders are replaced, stops the application at the start with an {@link IllegalStateException}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedLock {

    /**
     * The lock id, as a SpEL expression or as a template with {@code #{...}} parts. The expression may use the parameters of the
     * method ({@code #name}, {@code #a0}, {@code #p0}), {@code #root.target}, {@code #root.targetClass}, {@code #root.method},
     * {@code #root.methodName}, {@code #root.args} and beans ({@code @bean}). Property placeholders ({@code ${...}}) are replaced
     * before the expression is parsed.
     *
     * <p>The text of the value is the lock id, as {@link LockRequest#of(String)} accepts it. Each element of a collection or an
     * array is a lock id. The call then takes all these locks or none, as {@link RemoteLocker#getLocks(MultiLockRequest)} and {@link
     * RemoteLocker#tryGetLocks(MultiLockRequest)} do; the time-out counts for all of them together. Locks that an outer call on the
     * same thread holds are used, and not taken again.
     *
     * <p>The call takes parts of a hierarchy if the value is a {@link LockPath}, or a collection or an array of them. It takes them
     * as {@link MultiLockRequest#ofPath(LockPath)} describes, each in the mode of the annotation. An outer and a nested call on one
     * thread belong to one owner, if both end when their methods return.
     *
     * <p>A part of a key is a text, an integer, a {@code UUID}, an enum constant, a value of {@code java.time}, a {@link LockPath},
     * a value class of Kotlin or a record with one component of these, or a collection of these.
     *
     * <p>The application does not start if the expression uses a variable that the method does not have, or a text without quotes.
     * {@code #result} is no variable, because the lock is taken before there is a result. The call throws {@link
     * IllegalArgumentException}, and the method does not run, if a part of the key is null or of another type, in a template,
     * beside a {@code +}, or as an argument of a method that makes a text; if two numbers are added, none of which is a literal; if
     * the key or one of its elements is blank; or if the value is an empty collection, or mixes paths and other names.
     *
     * @return the expression; either this or {@link #keyGenerator()} is needed
     */
    String key() default "";

    /**
     * The name of a {@link LockKeyGenerator} bean that computes the lock id, in place of {@link #key()}. Property placeholders
     * ({@code ${...}}) are replaced. The application does not start if there is no such bean.
     *
     * @return the name of the bean
     */
    String keyGenerator() default "";

    /**
     * What the call does if the lock is taken:
     *
     * <ul>
     *   <li>{@link Strategy#GET_LOCK}: it waits, at most for the {@link #timeout()}.
     *   <li>{@link Strategy#TRY_GET_LOCK}: it is skipped, or throws, as {@link #whenBusy()} determines.
     * </ul>
     *
     * <p>The application does not start with an attribute that has no effect: {@code timeout} with {@code TRY_GET_LOCK}, {@code
     * whenBusy} or {@code whenUnavailable} with {@code GET_LOCK}, and either of {@code timeout}, {@code holdAtLeast} and {@code TRY_GET_LOCK} with {@link
     * LockMode#NULL}.
     *
     * @return the strategy
     */
    Strategy strategy() default Strategy.GET_LOCK;

    /**
     * How each lock is held: calls in compatible modes run at the same time ({@link LockMode#isCompatibleWith(LockMode)}).
     *
     * <p>A nested call uses the lock of an outer call if the outer mode covers its own ({@link LockMode#covers(LockMode)}).
     * Otherwise it throws {@link IllegalStateException}: take the stronger mode outside. The application does not start if the
     * algorithm does not support the mode ({@link LockRequest#mode(LockMode)}). If the bean is created later, the call throws
     * {@link UnsupportedOperationException}.
     *
     * @return the mode
     */
    LockMode mode() default LockMode.EXCLUSIVE;

    /**
     * The longest time to wait for the lock, for {@link Strategy#GET_LOCK} only. A duration as in Spring Boot properties ({@code
     * 5s}, {@code PT5S}) or a placeholder ({@code ${...}}); a number needs a unit. More than zero, at most 36,500 days. Empty means
     * no limit.
     *
     * @return the longest time to wait
     */
    String timeout() default "";

    /**
     * The shortest time for which the lock stays taken, counted from the grant, even if the method is quicker ({@link
     * LockRequest#holdAtLeast(java.time.Duration)}). The call returns as soon as the method has returned. Nobody else gets the lock
     * until the time has passed. It is for scheduled methods that every instance starts at the same time of day, with {@link
     * Strategy#TRY_GET_LOCK}. Choose it longer than the instances' clocks differ, and shorter than the time between two runs.
     *
     * <p>The format is that of {@link #timeout()}. From zero to one day; zero and empty mean no minimum. A nested call that uses
     * the lock of an outer call has no minimum of its own.
     *
     * @return the shortest time
     */
    String holdAtLeast() default "";

    /**
     * The longest time of the hold, counted from the grant ({@link LockRequest#holdAtMost(java.time.Duration)}). Then the lock is
     * lost, although the method still runs, and {@link #onLost()} decides what happens. It is for methods that may hang.
     *
     * <p>The format is that of {@link #timeout()}. From one millisecond to 365 days, and not shorter than {@link #holdAtLeast()};
     * empty means no bound. A nested call that uses the lock of an outer call has no bound of its own.
     *
     * @return the longest time
     */
    String holdAtMost() default "";

    /**
     * The period for which the method runs once among all instances, as a SpEL expression, for example {@code "#day"}. It may use
     * what {@link #key()} may use, and is evaluated at each call, before the wait for the lock. So the method should take its period
     * as a parameter, and not ask a clock again. The expression must give a {@code LocalDate}, {@code LocalDateTime}, {@code
     * Instant}, {@code YearMonth}, {@code Year}, an integer or a text, as {@link RemoteLock#beginPeriod(Comparable)} describes.
     *
     * <p>The method runs only if the period is later than the last completed one. Otherwise the call is skipped, as {@link
     * WhenBusy#SKIP} describes. The period is recorded when the method has returned normally, or its stage or publisher has completed,
     * before the lock is released. A method that throws or crashes leaves the period to the next call. If the record may not be
     * stored, the call throws. So each period runs at least once, and is completed once.
     *
     * <p>The key must name one lock, which has no other use. Startup fails with {@code TRY_GET_LOCK}, with a mode other than
     * {@code EXCLUSIVE}, on a class, with a return type that is a special kind of {@code CompletionStage}, and with an algorithm that
     * keeps no values (all but {@code ticket}). The call throws {@link IllegalArgumentException} if the expression gives null or a
     * value of another type, and {@link IllegalStateException} if the caller has begun a transaction, or the last completed period is
     * of another type.
     *
     * @return the expression; empty: the method runs in each call
     */
    String onceFor() default "";

    /**
     * Whether a call that finds the lock taken is skipped, for {@link Strategy#TRY_GET_LOCK} only.
     *
     * @return whether the call returns without running the method, or throws
     */
    WhenBusy whenBusy() default WhenBusy.DEFAULT;

    /**
     * Whether a call is skipped if Cassandra does not answer whether the lock is free, for {@link Strategy#TRY_GET_LOCK} only.
     *
     * @return whether the call throws, or returns without running the method
     */
    WhenUnavailable whenUnavailable() default WhenUnavailable.THROW;

    /**
     * What happens if the lock is lost while the method runs.
     *
     * @return whether the thread that runs the method is interrupted as well
     */
    OnLost onLost() default OnLost.THROW;

    /** How the lock is taken. */
    enum Strategy {
        /** Waits until the lock is granted. */
        GET_LOCK,
        /** Does not wait if the lock is taken. */
        TRY_GET_LOCK
    }

    /** What a call does if the lock is taken. */
    enum WhenBusy {
        /** {@link #SKIP} for a call that does not wait. No effect on a call that waits. */
        DEFAULT,
        /**
         * The method does not run. The log has a line at INFO, at most once a minute for each method. The call returns {@code null},
         * {@code Optional.empty()}, an empty publisher, or a stage completed with {@code null}. Startup fails if the return type is
         * primitive, or a reactive type that is never empty.
         */
        SKIP,
        /** The method does not run, and the call throws {@link LockNotAcquiredException}. */
        THROW
    }

    /** What a call does if Cassandra cannot be asked for the lock. */
    enum WhenUnavailable {
        /** The method does not run, and the call throws {@link LockStoreException}. */
        THROW,
        /**
         * The method does not run, and the call returns what a call with {@link WhenBusy#SKIP} returns. The log has a line at WARN with
         * the reason, at most once a minute for each method. If Cassandra refuses the request, for example because a table or a
         * permission is missing, the call throws {@link LockStoreException}. Startup fails if the strategy is {@code GET_LOCK}.
         */
        SKIP
    }

    /** What happens if the lock is lost while the method runs. */
    enum OnLost {
        /** The method runs to its end. Then the call throws {@link LockLostException}, and a transaction rolls back. */
        THROW,
        /**
         * The thread that runs the method is interrupted at once; the call then throws {@link LockLostException}. No effect on work
         * that continues after the method has returned, such as the work of a stage. The application does not start if the method
         * returns a publisher.
         */
        INTERRUPT
    }
}

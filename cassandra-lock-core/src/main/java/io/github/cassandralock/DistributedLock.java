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
 * <p>The lock is taken before a transaction of the same method begins, and released after the transaction has ended. A nested
 * call with an outer call's key uses the outer lock if the outer mode covers the nested mode. Both calls run on one thread.
 *
 * <p>The return type determines how long the lock is held:
 *
 * <ul>
 *   <li>{@code CompletionStage}: until the method's stage completes. A cancellation of the returned
 *   stage does not reach the method's stage.
 *   <li>A reactive type that Spring can adapt ({@code Mono}, {@code Flux}, RxJava, {@code Flow} of Kotlin): from each
 *   subscription to its end. A cancelled subscription has ended, though blocking work may go on.
 *   <li>A suspend function of Kotlin: from each call to the end of the function. It has ended when no part of it runs any more.
 *       It may have been cancelled, or have given up a call of another bean.
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
 * RemoteLocker#tryGetLock(String)}; a publisher fails with them. If the lock is lost meanwhile, the call throws {@link
 * LockLostException} after the method has returned. A stage or a publisher fails with this exception. Startup fails with an
 * {@link IllegalStateException} if an annotation is invalid, or a placeholder makes an attribute blank.
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
     * array is a lock id. The call then takes all these locks or none ({@link RemoteLocker#getLocks(MultiLockRequest)}, {@link
     * RemoteLocker#tryGetLocks(MultiLockRequest)}). The time-out counts for all of them together. Locks that an outer call on the
     * same thread holds are used, and not taken again.
     *
     * <p>If the value is a {@link LockPath}, or a collection or array of paths, the call takes parts of a hierarchy. It takes
     * each path in the mode of the annotation, as {@link MultiLockRequest#ofPath(LockPath)} describes. An outer and a nested call
     * on one thread belong to one owner, if both end when their methods return.
     *
     * <p>Parts of a key are texts, integers, {@code UUID}s, enum constants, values of {@code java.time}, and {@link LockPath}s.
     * A part may be a collection of these, or a Kotlin value class or a record with one such component.
     *
     * <p>Startup fails if the expression uses a variable that the method does not have, or a text without quotes. {@code #result}
     * is no variable, because the lock is taken before there is a result. In these cases the call throws
     * {@link IllegalArgumentException}, and the method does not run:
     *
     * <ul>
     *   <li>A part of the key is null or of another type. Parts are in templates, beside a {@code +}, and arguments of methods
     *   that make a text.
     *   <li>Two numbers are added, none of which is a literal.
     *   <li>The key or one of its elements is blank.
     *   <li>The value is an empty collection, or mixes paths and other names.
     * </ul>
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
     * The locker that takes the lock: the name or qualifier of a {@link RemoteLocker} bean, such as one below {@code
     * cassandra-lock.lockers}. If no bean has it, the application does not start. May contain placeholders. One id under two
     * lockers names two locks.
     *
     * @return the name; empty for the application's only or primary locker
     */
    String locker() default "";

    /**
     * What the call does if the lock is taken:
     *
     * <ul>
     *   <li>{@link Strategy#GET_LOCK}: it waits, at most for the {@link #timeout()}.
     *   <li>{@link Strategy#TRY_GET_LOCK}: it is skipped, or throws, as {@link #whenBusy()} determines.
     * </ul>
     *
     * <p>Startup fails with an attribute that has no effect: {@code timeout} with {@code TRY_GET_LOCK}, {@code whenBusy} or
     * {@code whenUnavailable} with {@code GET_LOCK}, and either of {@code timeout}, {@code holdAtLeast} and {@code TRY_GET_LOCK}
     * with {@link LockMode#NULL}.
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
     * How many calls, in all processes, may run under the lock at once ({@link LockRequest#permits(int)}). One means that the lock
     * has no permits. A nested call uses the permit of an outer call if the outer call has as many permits or fewer. Otherwise it
     * throws {@link IllegalStateException}.
     *
     * <p>The application does not start if the number is not from one to {@link LockRequest#MAX_PERMITS}. With several permits,
     * the annotation must have mode {@link LockMode#EXCLUSIVE} and no {@link #onceFor()}, and the algorithm must be {@code ticket}.
     *
     * @return the number of permits
     */
    int permits() default 1;

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
     * LockRequest#holdAtLeast(java.time.Duration)}). The call returns as soon as the method has returned. No other caller gets
     * the lock until the time has passed. This attribute is for scheduled methods that every instance starts at one time of day,
     * with {@link Strategy#TRY_GET_LOCK}. Choose it longer than the instances' clocks differ, and shorter than the time between
     * two runs.
     *
     * <p>For the format, see {@link #timeout()}. From zero to one day; zero and empty mean no minimum. A nested call that uses
     * the lock of an outer call has no minimum of its own.
     *
     * @return the shortest time
     */
    String holdAtLeast() default "";

    /**
     * The longest time of the hold, counted from the grant ({@link LockRequest#holdAtMost(java.time.Duration)}). Then the lock is
     * lost, although the method still runs, and {@link #onLost()} decides what happens. This attribute is for methods that may
     * hang.
     *
     * <p>For the format, see {@link #timeout()}. From one millisecond to 365 days, and not shorter than {@link #holdAtLeast()};
     * empty means no bound. A nested call that uses the lock of an outer call has no bound of its own.
     *
     * @return the longest time
     */
    String holdAtMost() default "";

    /**
     * The period for which the method runs once among all instances, as a SpEL expression, for example {@code "#day"}. It may use
     * what {@link #key()} may use. It is evaluated at each call, before the wait for the lock. Therefore the method should take
     * its period as a parameter, and not read a clock again. The expression must give a {@code LocalDate}, {@code LocalDateTime},
     * {@code Instant}, {@code YearMonth}, {@code Year}, an integer or a text, as {@link RemoteLock#beginPeriod(Comparable)}
     * describes.
     *
     * <p>The method runs only if the period is later than the last completed one. Otherwise the call is skipped, as {@link
     * WhenBusy#SKIP} describes. The period is recorded when the method has returned normally, or its stage or publisher has
     * completed. The lock is released after that. A method that throws or crashes leaves the period to the next call. If the
     * record may not be stored, the call throws. As a result, each period runs at least once, and is completed once.
     *
     * <p>The key must name one lock, which has no other use. Startup fails on a class, and with any of these: {@code
     * TRY_GET_LOCK}; a mode other than {@code EXCLUSIVE}; a return type that is a special kind of {@code CompletionStage}; an
     * algorithm that keeps no values (all but {@code ticket}). The call throws {@link IllegalArgumentException} if the expression
     * gives null or a value of another type. It throws {@link IllegalStateException} if the caller has begun a transaction, or
     * the last completed period is of another type.
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

    /** What a call does if Cassandra does not answer whether the lock is free. */
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

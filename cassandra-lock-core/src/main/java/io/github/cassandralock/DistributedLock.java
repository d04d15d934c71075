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
 * <p>The lock is taken before a transaction of the same method begins, and released after the transaction has ended. A
 * nested call on the same thread with the same key uses the lock of the outer call, if the mode of that one covers its own.
 *
 * <p>How long the lock is held depends on the return type:
 *
 * <ul>
 *   <li>{@code CompletionStage}: until the stage completes.
 *   <li>A reactive type that Spring can adapt ({@code Mono}, {@code Flux}, types of RxJava, {@code Flow} of Kotlin): each
 *       subscription takes the lock, and releases it when it ends.
 *   <li>{@code Future}, {@code Callable}, {@code Stream} and similar types, and suspend functions of Kotlin: the application
 *       does not start, because the aspect cannot detect when their work ends.
 *   <li>{@code Object}: the returned value decides.
 *   <li>Any other type: until the method returns.
 * </ul>
 *
 * <p>The annotation works by a Spring proxy: a call from a bean to itself does not take the lock.
 *
 * <p>A call throws the exceptions of {@link RemoteLocker#getLock(String, java.time.Duration)} or {@link
 * RemoteLocker#tryGetLock(String)}; a publisher fails with them. If the lock is lost while the method runs, the call throws
 * {@link LockLostException} after the method has returned; a stage or a publisher fails with it. An invalid annotation stops
 * the application at the start with an {@link IllegalStateException}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedLock {

    /**
     * The lock id, as a SpEL expression or as a template with {@code #{...}} parts. The expression may use the parameters of
     * the method ({@code #name}, {@code #a0}, {@code #p0}), {@code #root.target}, {@code #root.targetClass}, {@code
     * #root.method}, {@code #root.methodName}, {@code #root.args} and beans ({@code @bean}). Property placeholders ({@code
     * ${...}}) are replaced before the expression is parsed.
     *
     * <p>The value, as text, is the lock id: as {@link LockRequest#of(String)} accepts it. If the value is
     * a collection or an array, each of its elements is a lock id, and the call takes all these locks, or none, as {@link
     * RemoteLocker#getLocks(LockRequests)} and {@link RemoteLocker#tryGetLocks(LockRequests)} do; the time-out counts for all
     * of them together. Those that an outer call on the same thread holds are used, and not taken again.
     *
     * <p>If the value is a {@link LockPath}, or a collection or an array of them, the call takes these parts of a hierarchy, as {@link
     * LockRequests#ofPath(LockPath)} says, each in the mode of the annotation. An outer call on the same thread and a nested one
     * belong to one owner, if both are calls that end when their methods return.
     *
     * <p>A part of a key is a text, an integer, a {@code UUID}, an enum constant, a value of {@code java.time}, a {@link LockPath}, a
     * value class of Kotlin or a record with one component of these, or a collection of these.
     *
     * <p>If the expression uses a variable that the method does not have, or a text without quotes, the application does not start;
     * {@code #result} is no variable, because the lock is taken before there is a result. The call throws {@link
     * IllegalArgumentException}, and the method does not run, if a part of the key is null or of another type, in a template, beside a
     * {@code +}, or as an argument of a method that makes a text; if two numbers are added, none of which is a literal; if the key or
     * one of its elements is blank; or if the value is an empty collection, or a collection of paths of a hierarchy and other names.
     *
     * @return the expression; either this or {@link #keyGenerator()} is needed
     */
    String key() default "";

    /**
     * The name of a {@link LockKeyGenerator} bean that computes the lock id, in place of {@link #key()}. Property placeholders
     * ({@code ${...}}) are replaced. If there is no such bean, the application does not start.
     *
     * @return the name of the bean
     */
    String keyGenerator() default "";

    /**
     * Whether the call waits for the lock, or does without it if it is taken.
     *
     * @return the strategy
     */
    Strategy strategy() default Strategy.GET_LOCK;

    /**
     * How the lock is held: calls whose modes are compatible run at the same time ({@link
     * LockMode#isCompatibleWith(LockMode)}). If the key names several locks, each is held in this mode.
     *
     * <p>A nested call uses the lock of an outer call if the mode of the outer one covers its own ({@link
     * LockMode#covers(LockMode)}), and throws {@link IllegalStateException} if not: take the stronger mode outside. With an
     * algorithm that does not support the mode ({@link LockRequest#mode(LockMode)}) the application does not start, or, if the
     * bean is created later, the call throws {@link UnsupportedOperationException}.
     *
     * @return the mode
     */
    LockMode mode() default LockMode.EXCLUSIVE;

    /**
     * The longest time to wait for the lock, for {@link Strategy#GET_LOCK} only. The format is that of durations in Spring
     * Boot properties ({@code 5s}, {@code PT5S}) or a placeholder ({@code ${...}}); a number needs a unit. More than zero, at most 36,500 days. If
     * it is empty, the wait has no limit.
     *
     * @return the longest time to wait
     */
    String timeout() default "";

    /**
     * The shortest time for which the lock stays taken, counted from the grant, also if the method is quicker ({@link
     * LockRequest#holdAtLeast(java.time.Duration)}). The call returns as soon as the method has returned; nobody else gets the
     * lock until the time has passed. It is meant for scheduled methods that every instance of an application starts at the
     * same time of day, with {@link Strategy#TRY_GET_LOCK}: choose it longer than the clocks of the instances differ, and
     * shorter than the time between two runs.
     *
     * <p>The format is that of {@link #timeout()}. From zero, which means no minimum, to one day. If it is empty, there is no
     * minimum. A nested call that uses the lock of an outer call has no minimum of its own.
     *
     * @return the shortest time
     */
    String holdAtLeast() default "";

    /**
     * What the call does if the lock is taken, for {@link Strategy#TRY_GET_LOCK} only: with {@link Strategy#GET_LOCK}, a value other
     * than the default stops the application at the start.
     *
     * @return whether the call returns without running the method, or throws
     */
    WhenBusy whenBusy() default WhenBusy.DEFAULT;

    /**
     * What happens if the lock is lost while the method runs.
     *
     * @return whether the thread that runs the method is interrupted as well
     */
    OnLost onLost() default OnLost.THROW;

    /** How the lock is taken. */
    enum Strategy {
        /** Mandatory: waits until the lock is granted. */
        GET_LOCK,
        /** Soft: does not wait if the lock is taken. */
        TRY_GET_LOCK
    }

    /** What a call does if the lock is taken. */
    enum WhenBusy {
        /** A call that does not wait does as with {@link #SKIP}. With a call that waits, it has no effect. */
        DEFAULT,
        /**
         * The method does not run. The call returns {@code null}, {@code Optional.empty()}, an empty publisher, or a stage
         * completed with {@code null}. If the return type is primitive, or a reactive type that is never empty, the
         * application does not start.
         */
        SKIP,
        /** The method does not run, and the call throws {@link LockNotAcquiredException}. */
        THROW
    }

    /** What happens if the lock is lost while the method runs. */
    enum OnLost {
        /** The method runs to its end, then the call throws {@link LockLostException}. A transaction rolls back. */
        THROW,
        /**
         * The thread that runs the method is interrupted at once; then the call throws as with {@link #THROW}. Has no effect on
         * work that goes on after the method has returned, such as that of a stage. On a method that returns a publisher it stops
         * the application at the start.
         */
        INTERRUPT
    }
}

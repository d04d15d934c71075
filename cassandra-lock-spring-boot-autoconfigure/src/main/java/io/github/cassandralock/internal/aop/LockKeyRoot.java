package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The value of {@code #root} in a key expression. */
public final class LockKeyRoot {

    private final @Nullable Object target;
    private final Class<?> targetClass;
    private final Method method;
    private final @Nullable Object[] args;

    LockKeyRoot(@Nullable Object target, Class<?> targetClass, Method method, @Nullable Object[] args) {
        this.target = target;
        this.targetClass = targetClass;
        this.method = method;
        this.args = args;
    }

    /** The bean behind the proxy. */
    public @Nullable Object getTarget() {
        return target;
    }

    /** The class of the bean behind the proxy. */
    public Class<?> getTargetClass() {
        return targetClass;
    }

    /** The called method. */
    public Method getMethod() {
        return method;
    }

    /** The name of the called method. */
    public String getMethodName() {
        return method.getName();
    }

    /** The arguments of the call. */
    public @Nullable Object[] getArgs() {
        return args.clone();
    }
}

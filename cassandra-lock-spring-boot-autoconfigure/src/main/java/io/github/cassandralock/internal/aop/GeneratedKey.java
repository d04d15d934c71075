package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockKeyGenerator;
import io.github.cassandralock.MultiLockRequest;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * The lock ids that a {@link LockKeyGenerator} bean computes. The bean is looked up at the first call: annotated beans are created
 * before it may be.
 *
 * @param bean its name
 * @param methodName for messages
 */
record GeneratedKey(String bean, String methodName, BeanFactory beans) implements LockName {

    /** @throws IllegalStateException if there is no such bean; the message names the method */
    static GeneratedKey of(String bean, String methodName, BeanFactory beans) {
        if (!beans.containsBean(bean) || !beans.isTypeMatch(bean, LockKeyGenerator.class)) {
            throw new MistakenAnnotationException(
                    "@DistributedLock on " + methodName + " names the keyGenerator '" + bean
                            + "', but there is no bean of that name that is a LockKeyGenerator; define it, or use a key");
        }
        return new GeneratedKey(bean, methodName, beans);
    }

    @Override
    public MultiLockRequest evaluate(LockKeyRoot root, Method method, @Nullable Object[] args) {
        String id = beans.getBean(bean, LockKeyGenerator.class).generate(root.getTarget(), method, root.getArgs());
        if (id == null || id.isBlank()) {
            throw new IllegalArgumentException("The keyGenerator '" + bean + "' of @DistributedLock on " + methodName
                    + " returned " + (id == null ? "null" : "a blank text")
                    + "; the method was not run. The generator must return the name of the resource to lock");
        }
        return MultiLockRequest.of(List.of(id));
    }
}

package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.internal.key.KeyParts;
import io.github.cassandralock.internal.key.Sums;
import io.github.cassandralock.internal.key.UnusablePartException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ObjectUtils;

/** The key expression of one annotated method, parsed once. Thread-safe. */
record LockKey(MethodExpression expression) implements LockName {

    /**
     * Parses a key whose placeholders are resolved.
     *
     * @throws IllegalStateException if the key is empty or no SpEL expression; if it uses a variable or a name that the method
     *        does not have; if it is a constant that cannot name a lock. The message names the method and the expression
     */
    static LockName parse(String text, String methodName, Method method, BeanFactory beanFactory) {
        if (text.isBlank()) {
            throw new MistakenAnnotationException("@DistributedLock on " + methodName
                    + " has no key and no keyGenerator; name the resource to lock, e.g. key = \"'account:' + #id\"");
        }
        LockKey key = new LockKey(MethodExpression.parse("key", text, Sums.MISTAKES, methodName, method, beanFactory));
        return key.expression.expression().isConstant() ? key.constant() : key;
    }

    /** The name is equal in all calls, so it is checked once, at the start. */
    private LockName constant() {
        try {
            MultiLockRequest names = names(expression.expression().evaluate(new StandardEvaluationContext()));
            return (root, method, args) -> names;
        } catch (UnusablePartException e) {
            throw new MistakenAnnotationException(expression.problem(e), e);
        } catch (IllegalArgumentException | EvaluationException e) {
            throw new MistakenAnnotationException(expression.subject() + " names no lock: " + e.getMessage(), e);
        }
    }

    /**
     * The names for one call: texts or paths. A collection, or an array, names several locks.
     *
     * @throws IllegalArgumentException if the evaluation fails; if the result, an element or a part is null, or of a type that
     *     cannot name a resource; if a name is blank; if a collection is empty, or has paths and others. The message names the
     *     method and the expression
     */
    @Override
    public MultiLockRequest evaluate(LockKeyRoot root, Method method, @Nullable Object[] args) {
        try {
            return names(expression.evaluate(root, method, args));
        } catch (UnusablePartException e) {
            throw new IllegalArgumentException(expression.problem(e), e);
        }
    }

    private MultiLockRequest names(@Nullable Object value) {
        Object name = KeyParts.reduced(value, expression.expression().text());
        if (name instanceof Collection<?> elements) {
            return several(new ArrayList<>(elements));
        }
        if (name instanceof byte[] || name instanceof char[]) {
            throw UnusablePartException.ofType(expression.expression().text(), name.getClass());
        }
        if (ObjectUtils.isArray(name)) {
            return several(Arrays.asList(ObjectUtils.toObjectArray(name)));
        }
        return name instanceof LockPath path
                ? MultiLockRequest.ofPath(path)
                : MultiLockRequest.of(
                        List.of(lockId("", name, expression.expression().text())));
    }

    private MultiLockRequest several(List<@Nullable Object> elements) {
        if (elements.isEmpty()) {
            throw unusable(
                    "an empty collection, so there is nothing to lock",
                    "Do not call it without a resource, or add" + " one that is always locked");
        }
        String part = "an element of " + expression.expression().text();
        List<Object> names = elements.stream()
                .map(element -> KeyParts.reduced(element, part))
                .toList();
        List<LockPath> paths = names.stream()
                .filter(LockPath.class::isInstance)
                .map(LockPath.class::cast)
                .distinct()
                .toList();
        if (paths.isEmpty()) {
            return MultiLockRequest.of(names.stream()
                    .map(name -> lockId("a collection with ", name, part))
                    .toList());
        }
        if (!names.stream().allMatch(LockPath.class::isInstance)) {
            throw unusable(
                    "a collection with lock paths and other names",
                    "A path of one part, as in LockPath.of(\"prices\"), names one lock");
        }
        return MultiLockRequest.ofPaths(
                paths.stream().collect(Collectors.toMap(path -> path, path -> LockMode.EXCLUSIVE)));
    }

    /**
     * @param within names in messages what has the value
     * @param part names the value in messages
     */
    private String lockId(String within, Object value, String part) {
        if (!within.isEmpty() && value instanceof Collection) {
            throw unusable("a collection with another collection", "Name each lock once");
        }
        String id = KeyParts.text(value, part);
        if (id.isBlank()) {
            throw unusable(within + "a blank text", "Check the values of the parameters");
        }
        return id;
    }

    private IllegalArgumentException unusable(String what, String advice) {
        return new IllegalArgumentException(
                expression.subject() + " evaluated to " + what + "; the method was not run. " + advice);
    }
}

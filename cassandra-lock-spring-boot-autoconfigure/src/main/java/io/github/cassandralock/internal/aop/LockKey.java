package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.internal.key.KeyExpression;
import io.github.cassandralock.internal.key.KeyParts;
import io.github.cassandralock.internal.key.UnusablePartException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ObjectUtils;

/** The key expression of one annotated method, parsed once. Thread-safe. */
final class LockKey implements LockName {

    private final String text;
    private final String methodName;
    private final KeyExpression expression;
    private final BeanFactoryResolver beans;

    private LockKey(String text, String methodName, KeyExpression expression, BeanFactory beanFactory) {
        this.text = text;
        this.methodName = methodName;
        this.expression = expression;
        this.beans = new BeanFactoryResolver(beanFactory);
    }

    /**
     * Parses a key whose placeholders are resolved.
     *
     * @throws IllegalStateException if the key is empty or not a SpEL expression, uses a variable that the method does not have or
     *     a name that is neither, or is a constant that cannot name a lock; the message names the method and the expression
     */
    static LockName parse(String text, String methodName, Method method, BeanFactory beanFactory) {
        if (text.isBlank()) {
            throw new MistakenAnnotationException("@DistributedLock on " + methodName
                    + " has no key and no keyGenerator; name the resource to lock, e.g. key = \"'account:' + #id\"");
        }
        LockKey key = new LockKey(text, methodName, expression(text, methodName), beanFactory);
        KeyVariables.requireKnown(key.expression, method, key.subject());
        return key.expression.isConstant() ? key.constant() : key;
    }

    private static KeyExpression expression(String text, String methodName) {
        try {
            return KeyExpression.parse(text);
        } catch (ParseException e) {
            throw new MistakenAnnotationException(
                    "The key \"" + text + "\" of @DistributedLock on " + methodName + " is not a SpEL expression ("
                            + e.getSimpleMessage() + "); quote a literal, as in key = \"'nightly'\"",
                    e);
        }
    }

    /** The name is equal in all calls, so it is checked once, at the start. */
    private LockName constant() {
        try {
            MultiLockRequest names = names(expression.evaluate(new StandardEvaluationContext()));
            return (root, method, args) -> names;
        } catch (UnusablePartException e) {
            throw new MistakenAnnotationException(problem(e), e);
        } catch (IllegalArgumentException | EvaluationException e) {
            throw new MistakenAnnotationException(subject() + " names no lock: " + e.getMessage(), e);
        }
    }

    /**
     * The names for one call: texts or paths. A collection, or an array, names several locks.
     *
     * @throws IllegalArgumentException if the evaluation fails; if the result, an element or a part of the text is null or of a type
     *     that cannot name a resource; if a name is blank; if a collection is empty, or has paths and others. The message names the
     *     method and the expression
     */
    @Override
    public MultiLockRequest evaluate(LockKeyRoot root, Method method, @Nullable Object[] args) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(root, method, args, KeyVariables.PARAMETER_NAMES);
        context.setBeanResolver(beans);
        try {
            return names(value(context));
        } catch (UnusablePartException e) {
            throw unusable(e);
        }
    }

    /** The expression may call a method that throws anything, for example {@code LockPath.of}. */
    private @Nullable Object value(MethodBasedEvaluationContext context) {
        try {
            return expression.evaluate(context);
        } catch (UnusablePartException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    subject() + " cannot be evaluated (" + e.getMessage() + "); the method was not run"
                            + adviceForValueClasses(),
                    e);
        }
    }

    /** Kotlin's compiler adds a hash to the names of methods with such parameters. */
    private String adviceForValueClasses() {
        return methodName.contains("-")
                ? ". A parameter of a value class arrives as its component: write #id, not #id.value"
                : "";
    }

    private IllegalArgumentException unusable(UnusablePartException e) {
        return new IllegalArgumentException(problem(e), e);
    }

    private String problem(UnusablePartException e) {
        return "In the key \"" + text + "\" of @DistributedLock on " + methodName + ", " + e.getMessage()
                + "; the method was not run. " + e.advice();
    }

    private String subject() {
        return "The key \"" + text + "\" of @DistributedLock on " + methodName;
    }

    private MultiLockRequest names(@Nullable Object value) {
        Object name = KeyParts.reduced(value, expression.text());
        if (name instanceof Collection<?> elements) {
            return several(new ArrayList<>(elements));
        }
        if (name instanceof byte[] || name instanceof char[]) {
            throw KeyParts.unusableType(expression.text(), name);
        }
        if (ObjectUtils.isArray(name)) {
            return several(Arrays.asList(ObjectUtils.toObjectArray(name)));
        }
        return name instanceof LockPath path
                ? MultiLockRequest.ofPath(path)
                : MultiLockRequest.of(List.of(lockId("", name, expression.text())));
    }

    private MultiLockRequest several(List<@Nullable Object> elements) {
        if (elements.isEmpty()) {
            throw unusable(
                    "an empty collection, so there is nothing to lock",
                    "Do not call it without a resource, or add" + " one that is always locked");
        }
        String part = "an element of " + expression.text();
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
                subject() + " evaluated to " + what + "; the method was not run. " + advice);
    }
}

package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockPath;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.TypedValue;
import org.springframework.expression.common.ExpressionUtils;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/** The key expression of one annotated method, parsed once. Thread-safe. */
final class LockKey implements LockName {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    /** A variable of Spring's caching, which users try here. */
    private static final String RESULT = "#result";

    private final String text;
    private final String methodName;
    private final Expression expression;
    private final List<Expression> parts;
    private final BeanFactoryResolver beans;

    private LockKey(String text, String methodName, Expression expression, BeanFactory beanFactory) {
        this.text = text;
        this.methodName = methodName;
        this.expression = expression;
        this.parts = KeyVariables.parts(expression).stream()
                .map(PARSER::parseExpression)
                .toList();
        this.beans = new BeanFactoryResolver(beanFactory);
    }

    /**
     * Parses a key whose placeholders are resolved.
     *
     * @throws IllegalStateException if the key is empty or not a SpEL expression, or uses a variable that the method does not
     *     have; the message names the method and the expression
     */
    static LockKey parse(String text, String methodName, Method method, BeanFactory beanFactory) {
        if (text.isBlank()) {
            throw new IllegalStateException("@DistributedLock on " + methodName
                    + " has no key and no keyGenerator; name the resource to lock, e.g. key = \"'account:' + #id\"");
        }
        try {
            Expression expression = text.contains(ParserContext.TEMPLATE_EXPRESSION.getExpressionPrefix())
                    ? PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION)
                    : PARSER.parseExpression(text);
            requireKnownVariables(text, methodName, method, expression);
            return new LockKey(text, methodName, expression, beanFactory);
        } catch (ParseException e) {
            throw new IllegalStateException(
                    "The key \"" + text + "\" of @DistributedLock on " + methodName + " is not a SpEL expression ("
                            + e.getSimpleMessage() + "); quote a literal, as in key = \"'nightly'\"",
                    e);
        }
    }

    private static void requireKnownVariables(String text, String methodName, Method method, Expression expression) {
        Set<String> unknown = KeyVariables.unknown(expression, method, PARAMETER_NAMES);
        if (unknown.contains(RESULT)) {
            throw new IllegalStateException("The key \"" + text + "\" of @DistributedLock on " + methodName
                    + " uses #result, but the lock is taken before the method runs, when there is no result yet; name the"
                    + " resource by the parameters, or take the lock with RemoteLocker where the value is known");
        }
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("The key \"" + text + "\" of @DistributedLock on " + methodName
                    + " uses " + String.join(", ", unknown)
                    + ", which the method does not have, so the value would be"
                    + " null in every call. It may use "
                    + String.join(", ", KeyVariables.known(method, PARAMETER_NAMES))
                    + " (parameter names require classes compiled with -parameters)");
        }
    }

    /**
     * The names for one call: texts or paths. A collection, or an array, names several locks.
     *
     * @throws IllegalArgumentException if the evaluation fails, if its result is null, blank, an empty collection, a map, or a
     *     collection with such an element or with paths and others, or if a concatenated part is null; the message names the method and the expression
     */
    @Override
    public NamedLocks evaluate(LockKeyRoot root, Method method, @Nullable Object[] args) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, method, args, PARAMETER_NAMES);
        context.setBeanResolver(beans);
        try {
            requireNoNullIn(context);
            return names(value(context), context);
        } catch (EvaluationException e) {
            throw failed(e, ". Quote a literal, as in key = \"'nightly'\"");
        }
    }

    /** A method that the expression calls may throw anything, for example {@code LockPath.of}. */
    private @Nullable Object value(MethodBasedEvaluationContext context) {
        try {
            return expression.getValue(context);
        } catch (EvaluationException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failed(e, "");
        }
    }

    private IllegalArgumentException failed(RuntimeException cause, String advice) {
        return new IllegalArgumentException(
                "The key \"" + text + "\" of @DistributedLock on " + methodName + " cannot be evaluated ("
                        + cause.getMessage() + "); the method was not run" + advice,
                cause);
    }

    private NamedLocks names(@Nullable Object value, MethodBasedEvaluationContext context) {
        if (value instanceof Collection<?> elements) {
            return several(new ArrayList<>(elements), context);
        }
        if (value != null && namesNoResource(value)) {
            throw new IllegalArgumentException("The key \"" + text + "\" of @DistributedLock on " + methodName
                    + " evaluated to a value of the type " + value.getClass().getTypeName()
                    + ", which names neither one resource nor several; the method was not run. Name one by a text, or"
                    + " several by a collection or an array of texts");
        }
        if (ObjectUtils.isArray(value)) {
            return several(Arrays.asList(ObjectUtils.toObjectArray(value)), context);
        }
        return value instanceof LockPath path
                ? new NamedLocks.Paths(List.of(path))
                : new NamedLocks.Ids(List.of(lockId("", value, context)));
    }

    /** The elements of a path, of a document or of a digest are not what is to be locked. */
    private static boolean namesNoResource(Object value) {
        return value instanceof Map || value instanceof Iterable || value instanceof byte[] || value instanceof char[];
    }

    private NamedLocks several(List<@Nullable Object> elements, MethodBasedEvaluationContext context) {
        if (elements.isEmpty()) {
            throw new IllegalArgumentException("The key \"" + text + "\" of @DistributedLock on " + methodName
                    + " evaluated to an empty collection, so there is nothing to lock; the method was not run. Do not call it"
                    + " without a resource, or add one that is always locked");
        }
        List<LockPath> paths = elements.stream()
                .filter(LockPath.class::isInstance)
                .map(LockPath.class::cast)
                .distinct()
                .toList();
        if (paths.isEmpty()) {
            return new NamedLocks.Ids(elements.stream()
                    .map(element -> element(element, context))
                    .distinct()
                    .toList());
        }
        if (!elements.stream().allMatch(LockPath.class::isInstance)) {
            throw unusable(
                    "a collection with lock paths and other names; a path of one part, as in LockPath.of(\"prices\"),"
                            + " names one lock");
        }
        return new NamedLocks.Paths(paths);
    }

    private String element(@Nullable Object value, MethodBasedEvaluationContext context) {
        if (value instanceof Iterable || value instanceof Map || ObjectUtils.isArray(value)) {
            throw unusable("a collection with another collection");
        }
        return lockId("a collection with ", value, context);
    }

    /** @param within for messages: in what the value is */
    private String lockId(String within, @Nullable Object value, MethodBasedEvaluationContext context) {
        String id = ExpressionUtils.convertTypedValue(context, new TypedValue(value), String.class);
        if (id == null || id.isBlank()) {
            throw unusable(within + (id == null ? "null" : "a blank text"));
        }
        return id;
    }

    private IllegalArgumentException unusable(String what) {
        return new IllegalArgumentException("The key \"" + text + "\" of @DistributedLock on " + methodName
                + " evaluated to " + what
                + "; the method was not run. Check the parameters' names and values"
                + " (names require classes compiled with -parameters; #a0 does not)");
    }

    private void requireNoNullIn(MethodBasedEvaluationContext context) {
        for (Expression part : parts) {
            if (part.getValue(context) == null) {
                throw new IllegalArgumentException(
                        "In the key \"" + text + "\" of @DistributedLock on " + methodName + ", "
                                + part.getExpressionString()
                                + " is null; the method was not run, because all calls with null would share one lock");
            }
        }
    }
}

package io.github.cassandralock.internal.aop;

import io.github.cassandralock.internal.key.KeyExpression;
import io.github.cassandralock.internal.key.Sums;
import io.github.cassandralock.internal.key.UnusablePartException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ParseException;

/**
 * An expression of one annotated method, parsed once. Thread-safe.
 *
 * @param attribute of the annotation, for messages
 * @param text of the attribute, for messages
 */
record MethodExpression(
        String attribute, String text, String methodName, KeyExpression expression, BeanResolver beans) {

    /**
     * Parses an expression whose placeholders are resolved.
     *
     * @param attribute of the annotation, for messages
     * @throws IllegalStateException if it is no SpEL expression, or uses a variable or a name that the method does not have; the
     *        message names the method and the expression
     */
    static MethodExpression parse(
            String attribute, String text, Sums sums, String methodName, Method method, BeanFactory beanFactory) {
        MethodExpression parsed = new MethodExpression(
                attribute,
                text,
                methodName,
                parsed(attribute, text, sums, methodName),
                new BeanFactoryResolver(beanFactory));
        KeyVariables.requireKnown(parsed.expression, method, parsed.subject());
        return parsed;
    }

    private static KeyExpression parsed(String attribute, String text, Sums sums, String methodName) {
        try {
            return KeyExpression.parse(text, sums);
        } catch (ParseException e) {
            throw new MistakenAnnotationException(
                    "The " + attribute + " \"" + text + "\" of @DistributedLock on " + methodName
                            + " is not a SpEL expression (" + e.getSimpleMessage() + "); quote a literal, as in "
                            + attribute + " = \"'nightly'\"",
                    e);
        }
    }

    /**
     * The value in one call.
     *
     * @throws IllegalArgumentException if the evaluation fails, or a part of a text cannot name anything; the message names the
     *     method and the expression
     */
    @Nullable
    Object evaluate(LockKeyRoot root, Method method, @Nullable Object[] args) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(root, method, args, KeyVariables.PARAMETER_NAMES);
        context.setBeanResolver(beans);
        try {
            return expression.evaluate(context);
        } catch (UnusablePartException e) {
            throw new IllegalArgumentException(problem(e), e);
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

    /** What happened, to which expression, and what to do. */
    String problem(UnusablePartException e) {
        return "In the " + attribute + " \"" + text + "\" of @DistributedLock on " + methodName + ", " + e.getMessage()
                + "; the method was not run. " + e.advice();
    }

    /** Names the expression; the beginning of a message. */
    String subject() {
        return "The " + attribute + " \"" + text + "\" of @DistributedLock on " + methodName;
    }
}

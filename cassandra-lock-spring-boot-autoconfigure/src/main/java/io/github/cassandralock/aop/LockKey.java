package io.github.cassandralock.aop;

import java.lang.reflect.Method;
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
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The key expression of one annotated method, parsed once. Thread-safe. */
final class LockKey {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private final String text;
    private final String methodName;
    private final Expression expression;
    private final BeanFactoryResolver beans;

    private LockKey(String text, String methodName, Expression expression, BeanFactory beanFactory) {
        this.text = text;
        this.methodName = methodName;
        this.expression = expression;
        this.beans = new BeanFactoryResolver(beanFactory);
    }

    /**
     * Parses a key whose placeholders are resolved.
     *
     * @throws IllegalStateException that names the method and the expression, if it is empty or no SpEL
     */
    static LockKey parse(String text, String methodName, BeanFactory beanFactory) {
        if (text.isBlank()) {
            throw new IllegalStateException("@DistributedLock on " + methodName
                    + " has no key; name the resource to lock, e.g. key = \"'account:' + #id\"");
        }
        try {
            Expression expression = text.contains(ParserContext.TEMPLATE_EXPRESSION.getExpressionPrefix())
                    ? PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION)
                    : PARSER.parseExpression(text);
            return new LockKey(text, methodName, expression, beanFactory);
        } catch (ParseException e) {
            throw new IllegalStateException(
                    "The key \"" + text + "\" of @DistributedLock on " + methodName + " is not a SpEL expression ("
                            + e.getSimpleMessage() + "); quote a literal, as in key = \"'nightly'\"",
                    e);
        }
    }

    /**
     * The lock id for one call.
     *
     * @throws IllegalArgumentException that names the method and the expression, if it fails or gives nothing
     */
    String evaluate(LockKeyRoot root, Method method, @Nullable Object[] args) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, method, args, PARAMETER_NAMES);
        context.setBeanResolver(beans);
        String value;
        try {
            value = expression.getValue(context, String.class);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(
                    "The key \"" + text + "\" of @DistributedLock on " + methodName + " cannot be evaluated ("
                            + e.getMessage() + "); nothing was run. Quote a literal, as in key = \"'nightly'\"",
                    e);
        }
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("The key \"" + text + "\" of @DistributedLock on " + methodName
                    + " gave "
                    + (value == null ? "null" : "a blank") + "; nothing was run. Check the parameters' names and values"
                    + " (names need classes compiled with -parameters; #a0 works without)");
        }
        return value;
    }
}

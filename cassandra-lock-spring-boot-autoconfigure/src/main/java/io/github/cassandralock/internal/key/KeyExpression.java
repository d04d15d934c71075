package io.github.cassandralock.internal.key;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * The expression, or the template, of a key. Evaluates as SpEL does, and refuses what would enter the text unnoticed. These must
 * be parts of a key: operands of {@code +}, parts of templates, arguments of methods that make a text. Thread-safe.
 *
 * @param parts of a template, or the whole expression
 */
public record KeyExpression(List<SpelNode> parts, boolean template) {

    /** Compiled code would leave the checks out. */
    private static final SpelParserConfiguration INTERPRETED = new SpelParserConfiguration(SpelCompilerMode.OFF, null);

    private static final SpelExpressionParser PARSER = new SpelExpressionParser(INTERPRETED);

    /** The operands of a node, which SpEL offers no way to exchange. */
    private static final Field CHILDREN = childrenField();

    /**
     * Parses an expression.
     *
     * @throws ParseException if it is no expression
     */
    public static KeyExpression parse(String text, Sums sums) {
        boolean template = text.contains(ParserContext.TEMPLATE_EXPRESSION.getExpressionPrefix());
        Expression parsed = template
                ? PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION)
                : PARSER.parseExpression(text);
        return parsed instanceof CompositeStringExpression several
                ? new KeyExpression(
                        Stream.of(several.getExpressions())
                                .map(part -> part(part, sums))
                                .toList(),
                        true)
                : new KeyExpression(List.of(part(parsed, sums)), false);
    }

    private static SpelNode part(Expression expression, Sums sums) {
        return expression instanceof SpelExpression spel
                ? checked((SpelNodeImpl) spel.getAST(), sums)
                : new KnownValue(expression.getExpressionString());
    }

    /** Exchanges each {@code +}, projection, selection and index for a checked one. */
    private static SpelNodeImpl checked(SpelNodeImpl node, Sums sums) {
        if (node.getChildCount() > 0) {
            SpelNodeImpl[] children = childrenOf(node);
            for (int child = 0; child < children.length; child++) {
                children[child] = checked(children[child], sums);
            }
        }
        if (node instanceof Projection || node instanceof Selection || node instanceof Indexer) {
            return new CheckedElements(node);
        }
        return node instanceof OpPlus plus && plus.getChildCount() == 2 ? new CheckedPlus(plus, sums) : node;
    }

    /** Registers what a native image needs. */
    public static void registerHints(RuntimeHints hints) {
        hints.reflection().registerField(CHILDREN);
    }

    private static Field childrenField() {
        try {
            Field field = SpelNodeImpl.class.getDeclaredField("children");
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "This version of spring-expression keeps the operands of expressions otherwise than 6.2 and 7.0;"
                            + " use a version of cassandra-lock that was made for it",
                    e);
        }
    }

    private static SpelNodeImpl[] childrenOf(SpelNodeImpl node) {
        try {
            return (SpelNodeImpl[]) CHILDREN.get(node);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Evaluates the key in a context, to which it adds its checks.
     *
     * @return the text of a template; of an expression its value, which the caller has to check
     * @throws UnusablePartException if a part cannot name a resource
     * @throws EvaluationException if SpEL cannot evaluate it
     */
    public @Nullable Object evaluate(StandardEvaluationContext context) {
        context.setMethodResolvers(new ArrayList<>(List.of(new CheckedMethods())));
        context.setConstructorResolvers(new ArrayList<>(List.of(new CheckedConstructors())));
        context.setTypeConverter(new CheckedConversion());
        return template
                ? parts.stream()
                        .map(part -> KeyParts.text(value(part, context), CheckedElements.text(part)))
                        .collect(Collectors.joining())
                : value(parts.get(0), context);
    }

    private static @Nullable Object value(SpelNode part, StandardEvaluationContext context) {
        return part.getValue(new ExpressionState(context, INTERPRETED));
    }

    /** As messages name the whole value. */
    public String text() {
        return parts.stream().map(CheckedElements::text).collect(Collectors.joining());
    }

    /** Whether the value is the same in all calls, because the key refers to nothing. */
    public boolean isConstant() {
        return parts.stream().flatMap(KeyExpression::nodes).allMatch(KeyExpression::isKnown);
    }

    private static boolean isKnown(SpelNode node) {
        return node instanceof Literal
                || node instanceof InlineList
                || node instanceof Operator
                || node instanceof CheckedPlus
                || node instanceof KnownValue;
    }

    /** The variables and functions that the key uses, each with its {@code #}. */
    public Set<String> variables() {
        return parts.stream()
                .flatMap(KeyExpression::nodes)
                .filter(node -> node instanceof VariableReference || node instanceof FunctionReference)
                .map(SpelNode::toStringAST)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names that the key uses without a {@code #} before them: properties of the root object, or texts without quotes. */
    public Set<String> namesOfTheRoot() {
        return parts.stream().flatMap(KeyExpression::names).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<String> names(SpelNode node) {
        if (node instanceof CheckedElements || node instanceof InlineMap) {
            return Stream.empty(); // a name belongs to an element, or to an entry of the map
        }
        if (node instanceof CompoundExpression) {
            return namesOfChain(children(node));
        }
        Stream<String> own = Stream.empty();
        if (node instanceof PropertyOrFieldReference property) {
            own = Stream.of(property.getName());
        } else if (node instanceof MethodReference method) {
            own = Stream.of(method.getName() + "()");
        }
        return Stream.concat(own, children(node).stream().flatMap(KeyExpression::names));
    }

    /** All but the first element of a chain are names of the value before them. Their arguments are not. */
    private static Stream<String> namesOfChain(List<SpelNode> chain) {
        Stream<SpelNode> arguments = chain.stream()
                .skip(1)
                .filter(MethodReference.class::isInstance)
                .flatMap(method -> children(method).stream());
        return Stream.concat(Stream.of(chain.get(0)), arguments).flatMap(KeyExpression::names);
    }

    /** The node, and all below it. */
    private static Stream<SpelNode> nodes(SpelNode node) {
        return Stream.concat(Stream.of(node), children(node).stream().flatMap(KeyExpression::nodes));
    }

    private static List<SpelNode> children(SpelNode node) {
        return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild).toList();
    }
}

package io.github.cassandralock.internal.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Finds the variables that a key uses. SpEL evaluates an unknown variable to null, so a misspelt name would put all calls under
 * one lock.
 */
final class KeyVariables {

    private KeyVariables() {}

    /** Variables, each with its {@code #}, that the expression uses and that the method does not have. */
    static Set<String> unknown(Expression expression, Method method, ParameterNameDiscoverer names) {
        Set<String> used = new TreeSet<>();
        roots(expression).forEach(root -> collect(root, used));
        used.removeAll(known(method, names));
        return used;
    }

    /** Variables that a key of this method may use, for messages. */
    static Set<String> known(Method method, ParameterNameDiscoverer names) {
        Set<String> known = new LinkedHashSet<>();
        @Nullable String[] parameters = names.getParameterNames(method);
        if (parameters != null) {
            Arrays.stream(parameters).forEach(name -> known.add("#" + name));
        }
        for (int index = 0; index < method.getParameterCount(); index++) {
            known.add("#a" + index);
            known.add("#p" + index);
        }
        known.add("#root");
        known.add("#this");
        return known;
    }

    /**
     * The variables and their properties that the key concatenates, by {@code +} or by a template, also in a list. None of them
     * may be null, because "null" would become part of the key. Method calls are left out: evaluating them twice may have an effect.
     */
    static List<String> parts(Expression expression) {
        boolean template = expression instanceof CompositeStringExpression;
        List<String> parts = new ArrayList<>();
        roots(expression).forEach(root -> addParts(root, template, parts));
        return parts;
    }

    private static void addParts(SpelNode node, boolean isPart, List<String> parts) {
        if (node instanceof OpPlus) {
            children(node).forEach(child -> addParts(child, true, parts));
        } else if (node instanceof InlineList) {
            children(node).forEach(child -> addParts(child, false, parts));
        } else if (isPart && isPlain(node)) {
            parts.add(node.toStringAST());
        }
    }

    private static boolean isPlain(SpelNode node) {
        return node instanceof VariableReference
                || node instanceof PropertyOrFieldReference
                || (node instanceof CompoundExpression
                        && children(node).stream().allMatch(KeyVariables::isPlain));
    }

    private static void collect(SpelNode node, Set<String> used) {
        if (node instanceof VariableReference) {
            used.add(node.toStringAST());
        } else if (node instanceof FunctionReference) {
            used.add(node.toStringAST());
        }
        children(node).forEach(child -> collect(child, used));
    }

    private static List<SpelNode> children(SpelNode node) {
        List<SpelNode> children = new ArrayList<>();
        for (int child = 0; child < node.getChildCount(); child++) {
            children.add(node.getChild(child));
        }
        return children;
    }

    private static List<SpelNode> roots(Expression expression) {
        if (expression instanceof CompositeStringExpression template) {
            return Arrays.stream(template.getExpressions())
                    .flatMap(part -> roots(part).stream())
                    .toList();
        }
        return expression instanceof SpelExpression spel ? List.of(spel.getAST()) : List.of();
    }
}

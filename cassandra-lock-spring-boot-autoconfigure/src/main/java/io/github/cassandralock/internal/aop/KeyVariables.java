package io.github.cassandralock.internal.aop;

import io.github.cassandralock.internal.key.KeyExpression;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * The variables and names that a key may use. SpEL evaluates an unknown variable to null, so a misspelt name would put all calls
 * under one lock.
 */
final class KeyVariables {

    private KeyVariables() {}

    /** Returns variables, each with its {@code #}, that the expression uses and that the method does not have. */
    static Set<String> unknown(KeyExpression expression, Method method, ParameterNameDiscoverer names) {
        Set<String> used = new TreeSet<>(expression.variables());
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

    /** Names that a key may use without a {@code #}: properties of the root object, and its methods, each with its parentheses. */
    static Set<String> ofTheRoot() {
        return Stream.concat(
                        Arrays.stream(BeanUtils.getPropertyDescriptors(LockKeyRoot.class))
                                .map(property -> property.getName()),
                        Arrays.stream(LockKeyRoot.class.getMethods()).map(method -> method.getName() + "()"))
                .collect(Collectors.toSet());
    }
}

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
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * The variables and names that a key may use. SpEL evaluates an unknown variable to null, so a misspelt name would put all calls
 * under one lock.
 */
final class KeyVariables {

    static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    /** A variable of Spring's caching, which users try here. */
    private static final String RESULT = "#result";

    private KeyVariables() {}

    /**
     * Checks what the expression uses.
     *
     * @param subject names the key; the beginning of a message
     * @throws IllegalStateException if the method does not have a variable or name
     */
    static void requireKnown(KeyExpression expression, Method method, String subject) {
        Set<String> known = known(method);
        Set<String> unknown = new TreeSet<>(expression.variables());
        unknown.removeAll(known);
        if (unknown.contains(RESULT)) {
            throw new MistakenAnnotationException(subject
                    + " uses #result, but the lock is taken before the method runs. Name the resource by the parameters, or"
                    + " take the lock with RemoteLocker where the value exists");
        }
        if (!unknown.isEmpty()) {
            throw new MistakenAnnotationException(subject
                    + " uses " + String.join(", ", unknown)
                    + ", which the method does not have, so the value would be"
                    + " null in every call. It may use "
                    + String.join(", ", known)
                    + " (parameter names require classes compiled with -parameters)");
        }
        for (String name : expression.namesOfTheRoot()) {
            if (!ofTheRoot().contains(name)) {
                throw new MistakenAnnotationException(
                        subject + " uses " + name + ", which is neither a parameter nor a text; "
                                + (known.contains("#" + name)
                                        ? "write #" + name + " for the parameter"
                                        : "quote a literal, as in key = \"'nightly'\", and write # before a parameter"));
            }
        }
    }

    private static Set<String> known(Method method) {
        Set<String> known = new LinkedHashSet<>();
        @Nullable String[] parameters = PARAMETER_NAMES.getParameterNames(method);
        if (parameters != null) {
            Arrays.stream(parameters).forEach(name -> known.add("#" + name));
        }
        int arguments = method.getParameterCount() - (ResultTypes.isSuspending(method) ? 1 : 0);
        for (int index = 0; index < arguments; index++) {
            known.add("#a" + index);
            known.add("#p" + index);
        }
        known.add("#root");
        known.add("#this");
        return known;
    }

    /** Names without a {@code #}: properties of the root object, and its methods, each with its parentheses. */
    private static Set<String> ofTheRoot() {
        return Stream.concat(
                        Arrays.stream(BeanUtils.getPropertyDescriptors(LockKeyRoot.class))
                                .map(property -> property.getName()),
                        Arrays.stream(LockKeyRoot.class.getMethods()).map(method -> method.getName() + "()"))
                .collect(Collectors.toSet());
    }
}

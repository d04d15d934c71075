package io.github.cassandralock.internal.key;

import io.github.cassandralock.LockPath;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Checks the arguments of what a key calls. A library's method that makes a text ({@code format}, {@code concat}, {@code valueOf},
 * {@code join}) accepts anything, even null; its arguments are parts of the key. Methods of the application get their arguments as
 * they are. Only a parameter that is a text gets the text of a part.
 */
final class CheckedArguments {

    /** Libraries whose methods do not depend on the application's types. */
    private static final List<String> LIBRARIES =
            List.of("java.", "kotlin.", "org.springframework.", "org.apache.commons.", "com.google.common.");

    private static final List<Class<?>> TEXTS = List.of(CharSequence.class, Appendable.class, StringJoiner.class);

    /** The hash of an enum constant, or of an object without a hash of its own, differs in each process. */
    private static final Set<String> HASHES = Set.of("hash", "hashCode", "deepHashCode");

    private static final Set<String> IDENTITIES =
            Set.of("getIdentityHexString", "identityHashCode", "identityToString", "toIdentityString");

    private CheckedArguments() {}

    /**
     * Returns the arguments with which the method or constructor is to be called.
     *
     * @throws UnusablePartException if one of them cannot enter a text
     */
    static @Nullable Object[] of(Executable called, @Nullable Object[] arguments) {
        boolean ofALibrary = isOfALibrary(called.getDeclaringClass());
        if (ofALibrary && IDENTITIES.contains(called.getName())) {
            throw UnusablePartException.ofProcess(called.getName() + "(…)");
        }
        boolean makesText = ofALibrary && (makesText(called) || HASHES.contains(called.getName()));
        @Nullable Object[] checked = arguments.clone();
        for (int index = 0; index < arguments.length; index++) {
            String part = "argument " + (index + 1) + " of " + name(called);
            Class<?> parameter = parameter(called, index, arguments);
            checked[index] = makesText
                    ? entering(parameter, arguments[index], part)
                    : converted(parameter, arguments[index], part);
        }
        return checked;
    }

    static String name(Executable called) {
        return called instanceof Method
                ? called.getName()
                : called.getDeclaringClass().getSimpleName();
    }

    static boolean isOfALibrary(Class<?> type) {
        return LIBRARIES.stream().anyMatch(type.getName()::startsWith) && type != LockPath.class;
    }

    private static boolean makesText(Executable called) {
        Class<?> result = called instanceof Method method ? method.getReturnType() : called.getDeclaringClass();
        return TEXTS.stream().anyMatch(text -> text.isAssignableFrom(result));
    }

    /** The type of the parameter, or of an element if the argument is one of several. */
    private static Class<?> parameter(Executable called, int index, @Nullable Object[] arguments) {
        Class<?>[] types = called.getParameterTypes();
        int last = types.length - 1;
        if (!called.isVarArgs() || index < last) {
            return types[index];
        }
        boolean whole = arguments.length == types.length && types[last].isInstance(arguments[last]);
        return whole ? types[last] : types[last].getComponentType();
    }

    private static @Nullable Object entering(Class<?> parameter, @Nullable Object argument, String part) {
        if (argument == null && parameter != Locale.class) {
            throw UnusablePartException.ofNull(part);
        }
        if (parameter.isArray()) {
            return argument == null ? null : elements(parameter.getComponentType(), argument, part);
        }
        if (!mayEnterAText(parameter)) {
            return argument;
        }
        Object reduced = KeyParts.reduced(argument, part);
        if (reduced instanceof Collection<?> elements && parameter.isInstance(List.of())) {
            List<String> texts = KeyParts.texts(elements, part);
            return parameter == Object.class ? KeyParts.text(elements, part) : texts;
        }
        String text = KeyParts.text(reduced, part);
        boolean isWrittenOtherwise = reduced instanceof Enum
                || reduced instanceof LockPath
                || reduced instanceof Collection
                || (reduced instanceof CharSequence && parameter.isInstance(text));
        return isWrittenOtherwise ? text : reduced;
    }

    /** SpEL makes an array of a collection. */
    private static Object elements(Class<?> type, Object argument, String part) {
        if (argument instanceof Object[] elements) {
            return entering(elements, part);
        }
        if (argument instanceof Collection<?> elements && !type.isPrimitive()) {
            return KeyParts.texts(elements, part);
        }
        Class<?> element = argument.getClass().getComponentType();
        if (element != null && !PartTypes.isPlain(element)) {
            throw UnusablePartException.ofType(part, argument.getClass());
        }
        return argument;
    }

    private static Object entering(@Nullable Object[] elements, String part) {
        return Arrays.stream(elements)
                .map(element -> entering(Object.class, element, "an element of " + part))
                .toArray(length -> sameType(elements, length));
    }

    private static Object[] sameType(@Nullable Object[] elements, int length) {
        return elements instanceof CharSequence[] ? new CharSequence[length] : new Object[length];
    }

    /** A locale, a format or bytes do not enter the text as they are. */
    private static boolean mayEnterAText(Class<?> parameter) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(parameter);
        return type.isAssignableFrom(String.class)
                || CharSequence.class.isAssignableFrom(type)
                || Iterable.class.isAssignableFrom(type)
                || Number.class.isAssignableFrom(type)
                || type == Boolean.class
                || type == Character.class
                || type == UUID.class;
    }

    private static @Nullable Object converted(Class<?> parameter, @Nullable Object argument, String part) {
        if (argument == null) {
            return null;
        }
        if (parameter.isAssignableFrom(String.class)
                && CharSequence.class.isAssignableFrom(parameter)
                && !(argument instanceof CharSequence)) {
            return KeyParts.text(argument, part);
        }
        return argument;
    }
}

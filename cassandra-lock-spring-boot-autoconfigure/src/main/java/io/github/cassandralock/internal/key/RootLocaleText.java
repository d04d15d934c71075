package io.github.cassandralock.internal.key;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Methods of {@link String} that make a text in the default locale. This locale may differ between processes, and equal keys would
 * then name two locks. Therefore the text is made in {@link Locale#ROOT}.
 */
final class RootLocaleText {

    private RootLocaleText() {}

    /** Returns the text; empty if the method does not depend on the default locale. */
    static Optional<String> of(Method method, Object target, @Nullable Object[] arguments) {
        boolean hasLocale = Arrays.asList(method.getParameterTypes()).contains(Locale.class);
        if (method.getDeclaringClass() != String.class || hasLocale) {
            return Optional.empty();
        }
        return switch (method.getName()) {
            case "toUpperCase" -> Optional.of(target.toString().toUpperCase(Locale.ROOT));
            case "toLowerCase" -> Optional.of(target.toString().toLowerCase(Locale.ROOT));
            case "formatted" -> Optional.of(formatted(target, arguments));
            case "format" -> Optional.of(formatted(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length)));
            default -> Optional.empty();
        };
    }

    private static String formatted(@Nullable Object format, @Nullable Object[] arguments) {
        boolean whole = arguments.length == 1 && arguments[0] instanceof Object[];
        return String.format(Locale.ROOT, String.valueOf(format), whole ? (Object[]) arguments[0] : arguments);
    }
}

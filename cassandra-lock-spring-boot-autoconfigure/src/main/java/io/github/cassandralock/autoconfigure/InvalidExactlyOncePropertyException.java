package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A property under {@code exactly-once} is outside its bounds, contradicts another, or names what is not there. */
public final class InvalidExactlyOncePropertyException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    InvalidExactlyOncePropertyException(
            String property, Object value, String why, String action, @Nullable Throwable cause) {
        super("The property 'exactly-once." + property + "' is '" + text(value) + "', but " + why + ".", action, cause);
    }

    static InvalidExactlyOncePropertyException of(String property, Object value, String why, String example) {
        return new InvalidExactlyOncePropertyException(
                property,
                value,
                why,
                "Set it in application.yml, for example 'exactly-once." + property + ": " + example + "'.",
                null);
    }

    /** For messages. */
    static String list(Collection<String> names) {
        return names.isEmpty() ? "none" : "'" + String.join("', '", names) + "'";
    }

    private static Object text(Object value) {
        return value instanceof Duration duration ? DurationText.exactly(duration) : value;
    }
}

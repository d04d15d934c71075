package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.failure.InvalidPropertyException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A property under {@code exactly-once} is outside its bounds, contradicts another, or names something that does not exist. */
public final class InvalidExactlyOncePropertyException extends InvalidPropertyException {

    private static final long serialVersionUID = 1L;

    InvalidExactlyOncePropertyException(
            String property, Object value, String why, String action, @Nullable Throwable cause) {
        super("exactly-once." + property, value, why, action, cause);
    }

    static InvalidExactlyOncePropertyException of(String property, Object value, String why, String example) {
        return new InvalidExactlyOncePropertyException(
                property, value, why, setting("exactly-once." + property, example), null);
    }

    /** For messages. */
    static String list(Collection<String> names) {
        return names.isEmpty() ? "none" : "'" + String.join("', '", names) + "'";
    }
}

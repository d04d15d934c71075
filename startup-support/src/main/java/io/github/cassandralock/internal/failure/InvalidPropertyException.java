package io.github.cassandralock.internal.failure;

import io.github.cassandralock.internal.startup.ExactDuration;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A property is outside its bounds, contradicts another, or names something that does not exist. */
public class InvalidPropertyException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    /**
     * @param property its full name
     * @param why completes the sentence "but …"
     */
    public InvalidPropertyException(
            String property, Object value, String why, String action, @Nullable Throwable cause) {
        super("The property '" + property + "' is '" + text(value) + "', but " + why + ".", action, cause);
    }

    /** Returns the action that sets a property to another value. */
    public static String setting(String property, String example) {
        return "Set it in application.yml, for example '" + property + ": " + example + "'.";
    }

    private static Object text(Object value) {
        return value instanceof Duration duration ? ExactDuration.text(duration) : value;
    }
}

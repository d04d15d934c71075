package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A property under {@code cassandra-lock} is outside its bounds or contradicts another. */
public final class InvalidLockPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    InvalidLockPropertyException(String property, Object value, String why, String example, @Nullable Throwable cause) {
        super("The property 'cassandra-lock." + property + "' is '" + text(value) + "', but " + why + ".", cause);
        this.action = "Set it in application.yml, for example 'cassandra-lock." + property + ": " + example + "'.";
    }

    private static Object text(Object value) {
        return value instanceof Duration duration ? DurationText.exactly(duration) : value;
    }

    /** What the operator should do: a valid setting for {@code application.yml}. */
    public String action() {
        return action;
    }
}

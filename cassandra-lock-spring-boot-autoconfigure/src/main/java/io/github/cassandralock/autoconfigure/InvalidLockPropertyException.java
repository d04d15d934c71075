package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.assembly.WrongSettingException;
import io.github.cassandralock.internal.failure.InvalidPropertyException;
import org.jspecify.annotations.Nullable;

/** A property under {@code cassandra-lock} is outside its bounds or contradicts another. */
public final class InvalidLockPropertyException extends InvalidPropertyException {

    private static final long serialVersionUID = 1L;

    public InvalidLockPropertyException(
            String property, Object value, String why, String example, @Nullable Throwable cause) {
        super("cassandra-lock." + property, value, why, setting("cassandra-lock." + property, example), cause);
    }

    /** Explains a setting that the assembly of the locker refuses. */
    public static InvalidLockPropertyException of(WrongSettingException e) {
        return new InvalidLockPropertyException(e.setting(), e.value(), e.why(), e.example(), e.getCause());
    }

    /** @throws InvalidLockPropertyException if the check refuses a setting */
    public static void check(Runnable check) {
        try {
            check.run();
        } catch (WrongSettingException e) {
            throw of(e);
        }
    }
}

package io.github.cassandralock.internal.assembly;

import io.github.cassandralock.internal.startup.ExactDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A setting of the locks is outside its bounds, contradicts another, or cannot be followed on this machine. */
public final class WrongSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String setting;
    private final transient Object value;
    private final String why;
    private final String example;

    /**
     * @param setting its name below {@code cassandra-lock}
     * @param why completes the sentence "but …"
     * @param example a value that is accepted
     */
    public WrongSettingException(String setting, Object value, String why, String example, @Nullable Throwable cause) {
        super(
                "The setting 'cassandra-lock." + setting + "' is '" + text(value) + "', but " + why + ". For example, '"
                        + example + "' is accepted.",
                cause);
        this.setting = setting;
        this.value = value;
        this.why = why;
        this.example = example;
    }

    private static Object text(Object value) {
        return value instanceof Duration duration ? ExactDuration.text(duration) : value;
    }

    public String setting() {
        return setting;
    }

    public Object value() {
        return value;
    }

    public String why() {
        return why;
    }

    public String example() {
        return example;
    }
}

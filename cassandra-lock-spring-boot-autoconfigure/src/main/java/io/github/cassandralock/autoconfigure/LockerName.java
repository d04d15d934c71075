package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.time.TimerThreads;
import java.util.Optional;
import org.springframework.core.env.Environment;

/**
 * Which locker of the application the beans of a bean factory belong to.
 *
 * @param name {@code main} for the locker without a name
 * @param alone whether the application has no named locker
 */
public record LockerName(String name, boolean alone) {

    /** How operators see the locker of {@code cassandra-lock.*} beside named ones. */
    public static final String MAIN = "main";

    /** The key of the name in meters, and the parameter of the endpoint. */
    public static final String KEY = "locker";

    /** Returns the name of the locker that has this environment. */
    public static LockerName of(Environment environment) {
        return environment instanceof LockerEnvironment own
                ? own.locker()
                : new LockerName(MAIN, LockerEnvironment.names(environment).isEmpty());
    }

    /** The value of the key {@link #KEY} of all meters; empty if the application has one locker, whose meters have no such key. */
    public Optional<String> tag() {
        return alone ? Optional.empty() : Optional.of(name);
    }

    /** The beginning of the names of threads. */
    public String threads() {
        return name.equals(MAIN) ? TimerThreads.PREFIX : TimerThreads.PREFIX + name + "-";
    }

    /** For logs, at the beginning of a sentence. */
    public String locks() {
        return name.equals(MAIN) ? "Locks" : "Locks of the locker '" + name + "'";
    }
}

package io.github.cassandralock.exactlyonce.store.redis;

import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import java.time.Duration;
import java.util.Objects;

/**
 * Where registers are kept, and how they are requested.
 *
 * @param prefix of the keys; the name of the register follows. 1 to 512 characters, no control characters
 * @param timeout of a request; at least 1 ms
 * @param forgetfulServer what to do about a server that forgets acknowledged writes
 */
public record RedisStoreSettings(String prefix, Duration timeout, ForgetfulServer forgetfulServer) {

    private static final String DEFAULT_PREFIX = "exactly-once:";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** What to do when a store is opened on a server that forgets acknowledged writes, or may forget them. */
    public enum ForgetfulServer {

        /** Do not open the store. */
        REFUSE,

        /**
         * Open the store and log a warning. After a crash of the server, inputs are lost or take effect twice. The checks of
         * consumers find that at the next message of the same producer.
         */
        WARN
    }

    /**
     * @throws IllegalArgumentException if {@link RegisterLimits} refuses the prefix as a name, or the time-out is less than 1 ms
     */
    public RedisStoreSettings {
        Objects.requireNonNull(forgetfulServer, "forgetfulServer");
        RegisterLimits.requireName(prefix);
        RegisterLimits.requireTimeout(timeout);
    }

    /** The prefix {@code exactly-once:}, a time-out of 5 s, and {@link ForgetfulServer#REFUSE}. */
    public static RedisStoreSettings defaults() {
        return new RedisStoreSettings(DEFAULT_PREFIX, DEFAULT_TIMEOUT, ForgetfulServer.REFUSE);
    }

    /** These settings with another prefix. */
    public RedisStoreSettings withPrefix(String other) {
        return new RedisStoreSettings(other, timeout, forgetfulServer);
    }

    /** These settings with another time-out. */
    public RedisStoreSettings withTimeout(Duration other) {
        return new RedisStoreSettings(prefix, other, forgetfulServer);
    }

    /** These settings with another choice about servers that forget. */
    public RedisStoreSettings withForgetfulServer(ForgetfulServer other) {
        return new RedisStoreSettings(prefix, timeout, other);
    }
}

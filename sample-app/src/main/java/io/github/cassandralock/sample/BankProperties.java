package io.github.cassandralock.sample;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the bank.
 *
 * @param replicationFactor Copies of each row, if the keyspace is yet to be created. By default three, or as many as
 *     there are nodes.
 * @param lockTimeout How long a request waits for the locks of its accounts.
 * @param closing When the books are closed.
 */
@ConfigurationProperties("bank")
record BankProperties(
        @Nullable Integer replicationFactor,
        @DefaultValue("10s") Duration lockTimeout,
        @DefaultValue Closing closing) {

    /**
     * When the books are closed.
     *
     * @param period How long a "day" of this bank is.
     */
    record Closing(@DefaultValue("10s") Duration period) {

        Closing {
            if (period.toMillis() < 1) {
                throw new IllegalArgumentException("bank.closing.period must be at least 1ms, not " + period);
            }
        }
    }
}

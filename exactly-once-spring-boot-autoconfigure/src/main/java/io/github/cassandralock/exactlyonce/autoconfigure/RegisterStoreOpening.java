package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.store.redis.RedisRegisterStore;
import io.github.cassandralock.exactlyonce.store.redis.RedisStoreSettings;
import io.github.cassandralock.internal.startup.Creation;
import io.github.cassandralock.internal.transactions.RegistersBesideTransactions;
import io.lettuce.core.RedisURI;
import java.net.URI;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Opens the store of registers that the properties name. Checks at once what the properties alone decide. The rest needs the store,
 * and is tried and repeated in the background.
 */
record RegisterStoreOpening(ExactlyOnceProperties properties, ListableBeanFactory beans) {

    /**
     * Looks up the beans that the store needs. Does no I/O.
     *
     * @return what opens the store; it blocks
     * @throws InvalidExactlyOncePropertyException if the properties name what the application has not, or are out of
     * bounds
     */
    Creation<RegisterStore> of() {
        return switch (properties.store()) {
            case CASSANDRA -> inCassandra();
            case JDBC ->
                inDatabase(ChosenDataSource.beneathTransactions(new ChosenDataSource(properties, beans).get()));
            case REDIS -> inRedis();
        };
    }

    private Creation<RegisterStore> inCassandra() {
        if (!ClassUtils.isPresent("com.datastax.oss.driver.api.core.CqlSession", null)) {
            throw new InvalidExactlyOncePropertyException(
                    "store",
                    "cassandra",
                    "the driver of Cassandra is not on the class path",
                    "Add the dependency 'spring-boot-starter-data-cassandra' to the application, or choose another store in"
                            + " application.yml: 'exactly-once.store' is cassandra, jdbc or redis. Or define a RegisterStore"
                            + " bean.",
                    null);
        }
        return new RegistersInCassandra(properties, beans).opening();
    }

    private Creation<RegisterStore> inDatabase(DataSource source) {
        ExactlyOnceProperties.Jdbc configured = properties.jdbc();
        try {
            JdbcStoreSettings settings = new JdbcStoreSettings(configured.table(), configured.timeout());
            return progress -> {
                if (properties.createTables()) {
                    JdbcRegisterStore.createTable(source, settings);
                }
                return besideTransactions(JdbcRegisterStore.open(source, settings));
            };
        } catch (IllegalArgumentException e) {
            throw wrong("jdbc.table", configured.table(), e);
        }
    }

    private static RegisterStore besideTransactions(JdbcRegisterStore registers) {
        return ClassUtils.isPresent("org.springframework.jdbc.datasource.ConnectionHolder", null)
                ? new RegistersBesideTransactions(registers)
                : registers;
    }

    static InvalidExactlyOncePropertyException wrong(String property, String value, IllegalArgumentException e) {
        return new InvalidExactlyOncePropertyException(
                property,
                value,
                "that is refused: " + e.getMessage(),
                "Set it in application.yml, for example 'exactly-once." + property + ": exactly_once_registers'.",
                e);
    }

    private Creation<RegisterStore> inRedis() {
        if (!ClassUtils.isPresent("io.lettuce.core.RedisClient", null)) {
            throw new InvalidExactlyOncePropertyException(
                    "store",
                    "redis",
                    "the client of Redis is not on the class path",
                    "Add the dependency io.lettuce:lettuce-core to the application.",
                    null);
        }
        return InRedis.opening(properties.redis());
    }

    /** Separate, because its types may be missing on the class path. */
    private static final class InRedis {

        private InRedis() {}

        static Creation<RegisterStore> opening(ExactlyOnceProperties.Redis configured) {
            RedisURI server = server(configured.uri());
            try {
                RedisStoreSettings settings =
                        new RedisStoreSettings(configured.prefix(), configured.timeout(), configured.forgetfulServer());
                return progress -> RedisRegisterStore.open(server, settings);
            } catch (IllegalArgumentException e) {
                throw new InvalidExactlyOncePropertyException(
                        "redis.prefix",
                        configured.prefix(),
                        "it is refused: " + e.getMessage(),
                        "Set it in application.yml, for example 'exactly-once.redis.prefix: \"exactly-once:\"'.",
                        e);
            }
        }

        /** Hides the value and the cause, because both may contain the password. */
        private static RedisURI server(String uri) {
            try {
                RedisURI server = RedisURI.create(uri);
                if (URI.create(uri).getRawFragment() == null) {
                    return server;
                }
            } catch (IllegalArgumentException e) {
                // reported below
            }
            throw new InvalidExactlyOncePropertyException(
                    "redis.uri",
                    "(not shown: it may contain a password)",
                    "it is not the URI of a Redis server",
                    "Write it as 'exactly-once.redis.uri: redis://user:password@host:6379'. Write special characters of"
                            + " the password in percent encoding, for example %5E for ^ and %23 for #.",
                    null);
        }
    }
}

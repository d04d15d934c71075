package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.store.redis.RedisRegisterStore;
import io.github.cassandralock.exactlyonce.store.redis.RedisStoreSettings;
import io.github.cassandralock.internal.cassandra.LocalQuorum;
import io.github.cassandralock.internal.cassandra.LockSchemaException;
import io.github.cassandralock.internal.startup.Creation;
import io.github.cassandralock.internal.startup.StartStage;
import io.github.cassandralock.internal.transactions.RegistersBesideTransactions;
import io.lettuce.core.RedisURI;
import java.net.URI;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * How the store of registers is opened that the properties name. What the properties alone decide is checked at once;
 * the rest needs the store, and is done, and done again, in the background.
 */
final class RegisterStoreOpening {

    private final ExactlyOnceProperties properties;
    private final ListableBeanFactory beans;
    private final Environment environment;

    RegisterStoreOpening(ExactlyOnceProperties properties, ListableBeanFactory beans, Environment environment) {
        this.properties = properties;
        this.beans = beans;
        this.environment = environment;
    }

    /**
     * Looks up the beans that the store needs. Does no I/O.
     *
     * @return what opens the store; it blocks
     * @throws InvalidExactlyOncePropertyException if the properties name what the application has not, or are out of
     * bounds
     */
    Creation<RegisterStore> of() {
        return switch (properties.store()) {
            case CASSANDRA -> inCassandra(session());
            case JDBC ->
                inDatabase(ChosenDataSource.beneathTransactions(new ChosenDataSource(properties, beans).get()));
            case REDIS -> inRedis();
        };
    }

    private CqlSession session() {
        try {
            return CassandraAccess.find(
                            environment.getProperty("cassandra-lock.session-bean"),
                            environment.getProperty("cassandra-lock.template-bean"),
                            beans)
                    .session();
        } catch (NoUniqueBeanDefinitionException e) {
            throw e;
        } catch (NoSuchBeanDefinitionException e) {
            throw noBean("cassandra", "CqlSession", e);
        }
    }

    private static InvalidExactlyOncePropertyException noBean(String store, String type, Exception e) {
        return new InvalidExactlyOncePropertyException(
                "store",
                store,
                "the application has no " + type + " bean",
                "Configure one, or choose another store in application.yml: 'exactly-once.store' is cassandra, jdbc or"
                        + " redis. Or define a RegisterStore bean.",
                e);
    }

    private Creation<RegisterStore> inCassandra(CqlSession session) {
        if (!DriverReconnection.isLazy(environment)) {
            settings(session);
        }
        return progress -> {
            ContactedCluster.require(session);
            requireLocalQuorum(session);
            CassandraStoreSettings settings = settings(session);
            if (properties.createTables()) {
                progress.reached(StartStage.CREATION);
                CassandraRegisterStore.createTable(session, settings);
            }
            return CassandraRegisterStore.open(session, settings);
        };
    }

    private void requireLocalQuorum(CqlSession session) {
        try {
            LocalQuorum.of(
                    DefaultConsistencyLevel.valueOf(
                            properties.cassandra().readConsistency().name()),
                    "Or set 'exactly-once.cassandra.read-consistency: quorum' and 'exactly-once.cassandra.serial-consistency:"
                            + " serial' in all instances.",
                    session);
        } catch (LockSchemaException e) {
            throw new InvalidExactlyOncePropertyException(
                    "cassandra.read-consistency", "local-quorum", "it is refused: " + e.getMessage(), e.action(), e);
        }
    }

    /** Blocks if the session is not open yet. */
    private CassandraStoreSettings settings(CqlSession session) {
        ExactlyOnceProperties.Cassandra configured = properties.cassandra();
        CqlIdentifier keyspace = configured.keyspace() != null
                ? CqlName.of(configured.keyspace())
                : session.getKeyspace()
                        .orElseThrow(() -> InvalidExactlyOncePropertyException.of(
                                "cassandra.keyspace",
                                "",
                                "the session of the application has no keyspace either"
                                        + " (spring.cassandra.keyspace-name)",
                                "my_keyspace"));
        try {
            return new CassandraStoreSettings(
                    keyspace.asInternal(),
                    CqlName.of(configured.table()).asInternal(),
                    configured.readConsistency(),
                    configured.serialConsistency(),
                    configured.timeout());
        } catch (IllegalArgumentException e) {
            throw wrong("cassandra.table", configured.table(), e);
        }
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

    private static InvalidExactlyOncePropertyException wrong(
            String property, String value, IllegalArgumentException e) {
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

    /** Apart, because its types need not be on the class path. */
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

        /** Neither the value nor the cause is told: both may contain the password. */
        private static RedisURI server(String uri) {
            try {
                RedisURI server = RedisURI.create(uri);
                if (URI.create(uri).getRawFragment() == null) {
                    return server;
                }
            } catch (IllegalArgumentException e) {
                // told below
            }
            throw new InvalidExactlyOncePropertyException(
                    "redis.uri",
                    "(not shown: it may contain a password)",
                    "it is not the URI of a Redis server",
                    "Write it as 'exactly-once.redis.uri: redis://user:password@host:6379', with the special characters of the password in percent"
                            + " encoding, for example %5E for ^ and %23 for #.",
                    null);
        }
    }
}

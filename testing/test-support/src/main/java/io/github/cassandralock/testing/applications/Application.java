package io.github.cassandralock.testing.applications;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.StringUtils;

/** One instance of an application that uses the starter: a context with a session and a locker of its own. */
public record Application(ConfigurableApplicationContext context) implements AutoCloseable {

    public static final String KEYSPACE = "locks";

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Configuration {

        @Bean
        static SentStatements sentStatements() {
            return new SentStatements();
        }
    }

    /** Starts an instance in the tests' keyspace, which is created if need be. */
    public static Application start(CassandraCluster cluster, String... arguments) {
        createKeyspace(cluster, KEYSPACE, 1);
        List<String> all = cluster.arguments();
        all.add("--spring.cassandra.keyspace-name=" + KEYSPACE);
        all.addAll(Arrays.asList(arguments));
        return run(List.of(Configuration.class), all);
    }

    /** Starts an instance that is a reactive web application, in the tests' keyspace, which is created if need be. */
    public static Application startReactive(CassandraCluster cluster) {
        return startWeb(WebApplicationType.REACTIVE, cluster);
    }

    /** Starts an instance that is a web application on any free port, in the tests' keyspace, which is created if need be. */
    public static Application startWeb(WebApplicationType type, CassandraCluster cluster, String... arguments) {
        return startWeb(type, cluster, List.of(), arguments);
    }

    /** Starts an instance that is a web application with these configuration classes, on any free port. */
    public static Application startWeb(
            WebApplicationType type, CassandraCluster cluster, List<Class<?>> configurations, String... arguments) {
        createKeyspace(cluster, KEYSPACE, 1);
        List<String> all = cluster.arguments();
        all.add("--spring.cassandra.keyspace-name=" + KEYSPACE);
        all.add("--server.port=0");
        all.addAll(Arrays.asList(arguments));
        List<Class<?>> allConfigurations = new ArrayList<>(configurations);
        allConfigurations.add(Configuration.class);
        return run(type, allConfigurations, all);
    }

    /** Starts an instance with these arguments and configuration classes; what they leave open is patient with slow machines. */
    public static Application run(List<Class<?>> configurations, List<String> arguments) {
        return run(WebApplicationType.NONE, configurations, arguments);
    }

    private static Application run(WebApplicationType type, List<Class<?>> configurations, List<String> arguments) {
        return new Application(new SpringApplicationBuilder(configurations.toArray(Class<?>[]::new))
                .web(type)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .properties(
                        "spring.cassandra.request.timeout=5s",
                        "spring.cassandra.connection.connect-timeout=10s",
                        "spring.cassandra.connection.init-query-timeout=10s")
                .run(arguments.toArray(String[]::new)));
    }

    public static void createKeyspace(CassandraCluster cluster, String keyspace, int replicationFactor) {
        execute(
                cluster,
                "CREATE KEYSPACE IF NOT EXISTS " + keyspace
                        + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': " + replicationFactor
                        + "}");
    }

    /** Runs statements as an administrator would, besides the application. */
    public static void execute(CassandraCluster cluster, String... statements) {
        execute(CqlSession.builder(), cluster, statements);
    }

    /** Waits until the user can log in: a new cluster makes its first one some seconds after its start. */
    public static void executeAs(CassandraCluster cluster, String user, String password, String... statements) {
        await().atMost(Duration.ofMinutes(1))
                .ignoreException(AllNodesFailedException.class)
                .untilAsserted(() -> execute(
                        CqlSession.builder().withAuthCredentials(user, password),
                        cluster,
                        "SELECT now() FROM system.local"));
        execute(CqlSession.builder().withAuthCredentials(user, password), cluster, statements);
    }

    private static void execute(CqlSessionBuilder builder, CassandraCluster cluster, String... statements) {
        builder.withLocalDatacenter(cluster.localDatacenter()).withKeyspace((CqlIdentifier) null);
        for (String point : StringUtils.commaDelimitedListToStringArray(cluster.contactPoints())) {
            builder.addContactPoint(CassandraCluster.address(point));
        }
        try (CqlSession session = builder.build()) {
            for (String statement : statements) {
                session.execute(SimpleStatement.newInstance(statement).setTimeout(Duration.ofSeconds(30)));
            }
        }
    }

    /** The address of a web application's path, which begins with a slash. */
    public URI address(String path) {
        return URI.create(
                "http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    /** The address of a path of Actuator, which may have a port of its own. */
    public URI managementAddress(String path) {
        String port = context.getEnvironment().getProperty("local.management.port");
        return port == null ? address(path) : URI.create("http://localhost:" + port + path);
    }

    public RemoteLocker locker() {
        return context.getBean(RemoteLocker.class);
    }

    /** Whether {@code tryGetLock} of this application finds the lock taken. A lock that it gets is released at once. */
    public boolean isTaken(String lockId) {
        Optional<RemoteLock> lock = locker().tryGetLock(lockId);
        lock.ifPresent(RemoteLock::close);
        return lock.isEmpty();
    }

    public CqlSession session() {
        return context.getBean(CqlSession.class);
    }

    @Override
    public void close() {
        context.close();
    }
}

package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.internal.cassandra.LockSchemaException;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which keyspace a name in the properties means: the same one in each of them. */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("slow")
@Tag("nightly")
class KeyspaceNamesIT {

    private static final String OF_SESSION = "--spring.cassandra.keyspace-name=";
    private static final String OF_LOCKS = "--cassandra-lock.keyspace=";

    private final CassandraCluster cluster;
    private final String mixed = "Shop" + UUID.randomUUID().toString().replace("-", "");
    private final String lower = mixed.toLowerCase(Locale.ROOT);

    KeyspaceNamesIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }

    private List<String> arguments(String... more) {
        List<String> arguments = cluster.arguments();
        arguments.addAll(List.of(more));
        return arguments;
    }

    private void assertTablesAreIn(String keyspace, String... settings) {
        try (Application application = Application.run(List.of(Application.Configuration.class), arguments(settings))) {
            application.locker().getLock("k").close();
            assertThat(application
                            .session()
                            .execute(SimpleStatement.newInstance(
                                    "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", keyspace))
                            .all())
                    .isNotEmpty();
        }
    }

    @Test
    void nameWithoutQuotesMeansTheLowerCaseOneInEachProperty() {
        Application.createKeyspace(cluster, lower, 1);
        assertTablesAreIn(lower, OF_LOCKS + mixed);
        assertTablesAreIn(lower, OF_SESSION + mixed, OF_LOCKS + mixed);
    }

    @Test
    void nameInQuotesMeansThisSpellingInEachProperty() {
        Application.createKeyspace(cluster, quoted(mixed), 1);
        assertTablesAreIn(mixed, OF_LOCKS + quoted(mixed));
        assertTablesAreIn(mixed, OF_SESSION + quoted(mixed));
    }

    @Test
    void keyspaceOfTheLocksThatExistsInAnotherSpellingIsNamedWithItsQuotes(CapturedOutput output) {
        Application.createKeyspace(cluster, quoted(mixed), 1);
        StartFailures.assertStartFails(
                arguments(OF_LOCKS + mixed),
                output,
                LockSchemaException.class,
                "The keyspace " + lower + " for the lock tables does not exist",
                "cassandra-lock.keyspace: '" + quoted(mixed) + "'");
    }

    @Test
    void keyspaceOfTheSessionThatDoesNotExistIsNamedWithItsQuotes(CapturedOutput output) {
        StartFailures.assertStartFails(
                arguments(OF_SESSION + mixed),
                output,
                InvalidKeyspaceException.class,
                "CREATE KEYSPACE " + lower + " WITH",
                "spring.cassandra.keyspace-name: '" + quoted(mixed) + "'");
    }

    @Test
    void nameOfTheSessionThatNeedsQuotesIsExplained(CapturedOutput output) {
        StartFailures.assertStartFails(
                arguments(OF_SESSION + "my-shop"),
                output,
                IllegalArgumentException.class,
                "The property 'spring.cassandra.keyspace-name' is 'my-shop', but it is no name in CQL",
                "spring.cassandra.keyspace-name: '" + quoted("my-shop") + "'");
    }
}

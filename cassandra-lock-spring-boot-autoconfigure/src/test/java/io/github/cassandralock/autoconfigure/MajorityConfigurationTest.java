package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLocker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What the algorithm majority refuses before it opens a session. */
class MajorityConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
            .withBean(CqlSession.class, MockedCassandra::session)
            .withPropertyValues("cassandra-lock.algorithm=majority");

    private static String[] clusters(String... ids) {
        List<String> properties = new ArrayList<>();
        for (int entry = 0; entry < ids.length; entry++) {
            properties.add("cassandra-lock.majority.clusters[" + entry + "].id=" + ids[entry]);
            properties.add("cassandra-lock.majority.clusters[" + entry + "].contact-points=127.0.0.1:" + (entry + 1));
        }
        return properties.toArray(String[]::new);
    }

    private void assertRefused(String message, String... properties) {
        runner.withPropertyValues(properties)
                .run(context -> assertThat(context).hasFailed().getFailure().hasStackTraceContaining(message));
    }

    @Test
    void evenNumberOfClustersIsRefused() {
        assertRefused("must list 3 or 5 clusters", clusters("a", "b"));
        assertRefused("must list 3 or 5 clusters", clusters("a", "b", "c", "d"));
        assertRefused("must list 3 or 5 clusters");
    }

    @Test
    void twoClustersWithOneIdAreRefused() {
        assertRefused("must give each cluster an id of its own", clusters("a", "b", "a"));
    }

    @Test
    void clusterWithoutContactPointsOrSessionIsRefused() {
        assertRefused("must name nodes of the cluster 'a'", "cassandra-lock.majority.clusters[0].id=a");
    }

    @Test
    void clusterWithoutIdIsRefused() {
        assertRefused("must name the cluster", "cassandra-lock.majority.clusters[0].contact-points=127.0.0.1");
    }

    @Test
    void maxLeaseThatIsShorterThanTheLeaseIsRefused() {
        List<String> properties = new ArrayList<>(List.of(clusters("a", "b", "c")));
        properties.add("cassandra-lock.majority.max-lease=14s");
        assertRefused("must be at least 'cassandra-lock.lease'", properties.toArray(String[]::new));
    }

    private static String[] withFirst(String... settings) {
        List<String> properties = new ArrayList<>(List.of(clusters("a", "b", "c")));
        for (String setting : settings) {
            properties.add("cassandra-lock.majority.clusters[0]." + setting);
        }
        return properties.toArray(String[]::new);
    }

    @Test
    void userWithoutPasswordAndPasswordWithoutUserAreRefused() {
        assertRefused("must be set for the cluster 'a', because 'username' is: write both", withFirst("username=me"));
        assertRefused("must name the user of the cluster 'a', because 'password' is set", withFirst("password=secret"));
    }

    private static String[] withSessionForTheFirst(String... settings) {
        List<String> properties = new ArrayList<>(List.of(withFirst(settings)));
        properties.removeIf(property -> property.contains("[0].contact-points"));
        properties.add("cassandra-lock.majority.clusters[0].session-bean=northSession");
        return properties.toArray(String[]::new);
    }

    @Test
    void settingsOfASessionBesideOneThatIsThereAreRefused() {
        assertRefused(
                "'local-datacenter' would have no effect: remove it, or write 'contact-points'",
                withSessionForTheFirst("local-datacenter=dc1"));
        assertRefused(
                "'username' would have no effect: remove it, or write 'contact-points'",
                withSessionForTheFirst("username=me", "password=secret"));
    }

    @Test
    void sessionThatIsNotThereIsRefusedByTheNameOfItsProperty() {
        assertRefused(
                "The property 'cassandra-lock.majority.clusters[0].session-bean' is 'northSession', but the application has"
                        + " no CqlSession bean of this name",
                withSessionForTheFirst());
    }

    private static String[] sessions(String... beans) {
        List<String> properties = new ArrayList<>();
        for (int entry = 0; entry < beans.length; entry++) {
            properties.add("cassandra-lock.majority.clusters[" + entry + "].id=" + entry);
            properties.add("cassandra-lock.majority.clusters[" + entry + "].session-bean=" + beans[entry]);
        }
        return properties.toArray(String[]::new);
    }

    @Test
    void sessionThatIsNotThereIsRefusedByTheNumberOfItsCluster() {
        runner.withBean("session", CqlSession.class, MockedCassandra::session)
                .withPropertyValues(sessions("session", "session", "southSession"))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining(
                                "'cassandra-lock.majority.clusters[2].session-bean' is 'southSession'"));
    }

    private void assertMigrationIsRefused(String message, String startup, String... properties) {
        List<String> all = new ArrayList<>(List.of(clusters("a", "b", "c")));
        all.addAll(List.of(
                "cassandra-lock.algorithm=migration",
                "cassandra-lock.migration.from=ticket",
                "cassandra-lock.migration.to=majority",
                "cassandra-lock.startup=" + startup));
        all.addAll(List.of(properties));
        assertRefused(message, all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"eager", "lazy"})
    void migrationInWhichTheMajorityWouldShareTheTablesOfTheTicketLockIsRefused(String startup) {
        assertMigrationIsRefused("must name the keyspace of the tables of the algorithm 'ticket'", startup);
        assertMigrationIsRefused(
                "must name another keyspace than 'locks' for the cluster 'a'",
                startup,
                "cassandra-lock.keyspace=locks");
        assertMigrationIsRefused(
                "must name another keyspace than 'locks' for the cluster 'b'",
                startup,
                "cassandra-lock.keyspace=locks",
                "cassandra-lock.majority.clusters[0].keyspace=other",
                "cassandra-lock.majority.clusters[1].keyspace=locks");
    }

    @Test
    void migrationToAMajorityOfTwoClustersIsRefused() {
        List<String> all = new ArrayList<>(List.of(clusters("a", "b")));
        all.addAll(List.of(
                "cassandra-lock.algorithm=migration",
                "cassandra-lock.migration.from=queue",
                "cassandra-lock.migration.to=majority"));
        assertRefused("must list 3 or 5 clusters", all.toArray(String[]::new));
    }

    @Test
    void otherAlgorithmsIgnoreTheClusters() {
        runner.withPropertyValues(clusters("a", "b"))
                .withPropertyValues("cassandra-lock.algorithm=ticket", "cassandra-lock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RemoteLocker.class));
    }
}

package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Which values a named locker reads, from several sources of properties. */
class LockerEnvironmentTest {

    private final StandardEnvironment application = new StandardEnvironment();

    /** The first that is added has priority. */
    private void add(Map<String, Object> properties) {
        MutablePropertySources sources = application.getPropertySources();
        sources.addLast(new MapPropertySource("source " + sources.size(), properties));
    }

    private Binder billing() {
        return Binder.get(LockerEnvironment.of("billing", application));
    }

    private @Nullable String value(String property) {
        return billing().bind("cassandra-lock." + property, String.class).orElse(null);
    }

    private List<String> contactPoints() {
        return billing()
                .bind("cassandra-lock.contact-points", Bindable.listOf(String.class))
                .get();
    }

    @Test
    void listIsTakenFromOneSource() {
        add(Map.of("cassandra-lock.lockers.billing.contact-points[0]", "first"));
        add(Map.of(
                "cassandra-lock.lockers.billing.contact-points[0]", "second",
                "cassandra-lock.lockers.billing.contact-points[1]", "third"));
        assertThat(contactPoints()).containsExactly("first");
    }

    @Test
    void listThatIsOneTextHidesTheElementsOfLaterSources() {
        add(Map.of("cassandra-lock.lockers.billing.contact-points", "first, second"));
        add(Map.of("cassandra-lock.lockers.billing.contact-points[0]", "third"));
        assertThat(contactPoints()).containsExactly("first", "second");
    }

    @Test
    void clustersOfAMajorityAreTakenFromOneSource() {
        add(Map.of("cassandra-lock.majority.clusters[0].id", "a"));
        add(Map.of(
                "cassandra-lock.majority.clusters[0].session-bean", "other",
                "cassandra-lock.majority.clusters[1].id", "b",
                "cassandra-lock.majority.max-lease", "20s"));
        assertThat(value("majority.clusters[0].id")).isEqualTo("a");
        assertThat(value("majority.clusters[0].session-bean")).isNull();
        assertThat(value("majority.clusters[1].id")).isNull();
        assertThat(value("majority.max-lease")).isEqualTo("20s");
    }

    @Test
    void emptyValueIsNotSetAndNotInherited() {
        add(Map.of(
                "cassandra-lock.prefix", "shop",
                "cassandra-lock.session-bean", "session",
                "cassandra-lock.lease", "20s",
                "cassandra-lock.lockers.billing.prefix", "",
                "cassandra-lock.lockers.billing.session-bean", " "));
        assertThat(value("prefix")).isNull();
        assertThat(value("session-bean")).isNull();
        assertThat(value("lease")).isEqualTo("20s");
    }

    private void addVariables(Map<String, Object> variables) {
        application
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
    }

    @Test
    void variablesWithUnderscoresForDashesReachALocker() {
        add(Map.of("cassandra-lock.lockers.billing.lease", "20s", "cassandra-lock.prefix", "file"));
        addVariables(Map.of(
                "CASSANDRA_LOCK_PREFIX", "shop",
                "CASSANDRA_LOCK_NOTICES_BIND_ADDRESS", "127.0.0.1",
                "CASSANDRA_LOCK_LOCKERS_BILLING_KEYSPACE", "billing",
                "CASSANDRA_LOCK_LOCKERS_BILLING_SESSION_BEAN", "second"));
        assertThat(value("prefix")).isEqualTo("shop");
        assertThat(value("notices.bind-address")).isEqualTo("127.0.0.1");
        assertThat(value("keyspace")).isEqualTo("billing");
        assertThat(value("session-bean")).isEqualTo("second");
        assertThat(value("lease")).isEqualTo("20s");
    }

    @Test
    void variablesWithUnderscoresNameLockers() {
        add(Map.of("cassandra-lock.lockers.month-end.lease", "20s"));
        addVariables(Map.of(
                "CASSANDRA_LOCK_LOCKERS_BILLING_KEYSPACE", "billing",
                "CASSANDRA_LOCK_LOCKERS_MONTH_END_KEYSPACE", "months"));
        assertThat(LockerEnvironment.names(application)).containsExactly("billing", "month-end");
        assertThat(Binder.get(LockerEnvironment.of("month-end", application))
                        .bind("cassandra-lock.keyspace", String.class)
                        .get())
                .isEqualTo("months");
    }
}

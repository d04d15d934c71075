package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.internal.exactlyonce.DeferredRegisterStore;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration;

/** Applications whose store is not there when they start. */
class AbsentStoreTest extends ExactlyOnceApplicationTest {

    @Test
    void applicationStartsWithoutItsStoreAndWorksWhenItIsThere() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:late;IFEXISTS=TRUE;DB_CLOSE_DELAY=-1");
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(DataSource.class, () -> source)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(DeferredRegisterStore.class);
                    awaitHealth(context, "DOWN", "store", "no connection to the database");
                    source.setURL("jdbc:h2:mem:late;DB_CLOSE_DELAY=-1");
                    push(context, "a");
                    awaitOutputs(context, "a");
                    awaitHealth(context, "UP", "running=true");
                });
        awaitNoThreads();
    }

    @Test
    void applicationWhoseStoreNeverComesClosesAtOnce() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:never;IFEXISTS=TRUE");
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(DataSource.class, () -> source)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> awaitHealth(context, "DOWN", "store"));
        awaitNoThreads();
    }

    @Test
    void pusherThatWaitsForTheStoreEndsWithTheApplication() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:never;IFEXISTS=TRUE");
        AtomicReference<FutureTask<Long>> pushing = new AtomicReference<>();
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(DataSource.class, () -> source)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    MessageQueue queue = queue(context, "in");
                    FutureTask<Long> push = new FutureTask<>(() -> queue.push(new byte[0]));
                    pushing.set(push);
                    new Thread(push, "pusher").start();
                    awaitHealth(context, "DOWN", "store");
                    assertThat(push.isDone()).isFalse();
                });
        assertThat(pushing.get())
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(RegisterRefusedException.class)
                .withMessageContaining("closed with the application");
    }

    @Test
    void applicationStartsWithoutCassandraIfItsSessionIsLazy() {
        application
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class, ExactlyOnceSessionAutoConfiguration.class))
                .withUserConfiguration(WithHandler.class)
                .withPropertyValues(
                        "exactly-once.startup=lazy",
                        "spring.cassandra.contact-points=127.0.0.1:1",
                        "spring.cassandra.local-datacenter=datacenter1",
                        "spring.cassandra.keyspace-name=handlers")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    awaitHealth(context, "DOWN", "Cassandra cannot be reached", "contact-points");
                });
        awaitNoThreads();
    }

    @Test
    void missingTableIsToldIfItMustNotBeCreated() {
        application
                .withUserConfiguration(SinksAndPumpsTest.WithDatabase.class, WithHandler.class)
                .withPropertyValues("exactly-once.store=jdbc", "exactly-once.create-tables=false")
                .run(context -> awaitHealth(context, "DOWN", "exactly_once_registers", "CREATE TABLE"));
    }
}

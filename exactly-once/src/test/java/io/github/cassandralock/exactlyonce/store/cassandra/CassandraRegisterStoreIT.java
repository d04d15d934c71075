package io.github.cassandralock.exactlyonce.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer.Applied;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.AnswerLosingProxy;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import io.github.cassandralock.exactlyonce.store.ProxiedAnswers;
import io.github.cassandralock.exactlyonce.store.RegisterStoreContract;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.local.LocalCassandra;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contract of stores on a real Cassandra node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CassandraRegisterStoreIT extends RegisterStoreContract {

    private static final CassandraStoreSettings SETTINGS =
            CassandraStoreSettings.inKeyspace("contract").withTimeout(Duration.ofSeconds(10));

    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final CqlSession session = connect(cassandra.contactPoints());
    private final RegisterStore store;

    CassandraRegisterStoreIT() {
        session.execute(
                "CREATE KEYSPACE contract WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraRegisterStore.createTable(session, SETTINGS);
        store = CassandraRegisterStore.open(session, SETTINGS);
    }

    @AfterAll
    void close() {
        session.close();
        cassandra.close();
    }

    private CqlSession connect(Collection<InetSocketAddress> nodes) {
        return Sessions.open(nodes, cassandra.localDatacenter(), DefaultRetryPolicy.class);
    }

    @Override
    protected RegisterStore store() {
        return store;
    }

    @Override
    protected LostAnswers lostAnswers() throws Exception {
        AnswerLosingProxy proxy = new AnswerLosingProxy(cassandra.node(1).address());
        CqlSession behind = connect(List.of(proxy.address()));
        RegisterStore storeBehind = CassandraRegisterStore.open(behind, SETTINGS.withTimeout(Duration.ofSeconds(2)));
        return new ProxiedAnswers(
                proxy,
                storeBehind,
                () -> behind.forceCloseAsync().toCompletableFuture().join());
    }

    private static WriteId write() {
        return new WriteId(UUID.randomUUID(), 1);
    }

    private void assertUnfit(CassandraStoreSettings settings, String... parts) {
        assertThatThrownBy(() -> CassandraRegisterStore.open(session, settings))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void tableWhoseRowsExpireIsRefused() {
        CassandraStoreSettings settings = SETTINGS.withTable("expiring");
        session.execute(CassandraRegisterStore.createStatement(settings).replace("live = 0", "live = 86400"));
        assertUnfit(
                settings,
                "default_time_to_live = 86400",
                "ALTER TABLE contract.expiring WITH default_time_to_live = 0",
                "create another table");
    }

    @Test
    void tableThatIsMissingIsRefusedWithTheStatementThatCreatesIt() {
        CassandraStoreSettings settings = SETTINGS.withTable("nowhere");
        assertUnfit(settings, "does not exist", "CREATE TABLE IF NOT EXISTS contract.nowhere (name text PRIMARY KEY");
    }

    @Test
    void tableOfAnotherShapeIsRefused() {
        session.execute(
                "CREATE TABLE contract.other (name text PRIMARY KEY, version int, process uuid, counter bigint)");
        assertUnfit(SETTINGS.withTable("other"), "version=int regular", "registers need", "value=blob regular");
    }

    @Test
    void keyspaceThatIsMissingOrNotDurableIsRefused() {
        assertUnfit(CassandraStoreSettings.inKeyspace("nowhere"), "'nowhere'", "CREATE KEYSPACE nowhere");

        session.execute("CREATE KEYSPACE fleeting WITH durable_writes = false AND replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraStoreSettings fleeting = CassandraStoreSettings.inKeyspace("fleeting");
        CassandraRegisterStore.createTable(session, fleeting);
        assertUnfit(fleeting, "durable_writes = false", "ALTER KEYSPACE fleeting WITH durable_writes = true");
    }

    @Test
    void namesThatNeedQuotesAreUsed() throws InterruptedException {
        session.execute("CREATE KEYSPACE \"Upper\" WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraStoreSettings settings =
                CassandraStoreSettings.inKeyspace("Upper").withTable("Registers");
        CassandraRegisterStore.createTable(session, settings);

        assertThat(CassandraRegisterStore.open(session, settings).compareAndSet("a", 0, new byte[1], write()))
                .isInstanceOf(Applied.class);
    }

    @Test
    void tableThatIsDroppedRefusesForGood() {
        CassandraStoreSettings settings = SETTINGS.withTable("dropped");
        CassandraRegisterStore.createTable(session, settings);
        CassandraRegisterStore dropped = CassandraRegisterStore.open(session, settings);
        session.execute("DROP TABLE contract.dropped");

        assertThatThrownBy(() -> dropped.compareAndSet("a", 0, new byte[1], write()))
                .isInstanceOf(RegisterRefusedException.class)
                .hasMessageContaining("contract.dropped");
    }

    @Test
    void sessionThatIsClosedRefusesForGood() {
        CqlSession other = connect(cassandra.contactPoints());
        CassandraRegisterStore closed = CassandraRegisterStore.open(other, SETTINGS);
        other.close();
        assertThatThrownBy(() -> closed.compareAndSet("a", 0, new byte[1], write()))
                .isInstanceOf(RegisterRefusedException.class);
        assertThatThrownBy(() -> closed.read("a")).isInstanceOf(RegisterRefusedException.class);
    }

    @Test
    void rowThatSomethingElseHasWrittenIsRefused() {
        session.execute("INSERT INTO contract.exactly_once_registers (name, version) VALUES ('foreign', 3)");
        assertThatThrownBy(() -> store.read("foreign"))
                .isInstanceOf(RegisterRefusedException.class)
                .hasMessageContaining("'foreign'")
                .hasMessageContaining("no write id or no value");
    }
}

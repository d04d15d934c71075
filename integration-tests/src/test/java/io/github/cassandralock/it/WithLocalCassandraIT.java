package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.test.WithLocalCassandra;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** A test of an application on a node that one annotation starts. Costs the start of a node of its own. */
@SpringBootTest(classes = Shop.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@WithLocalCassandra(keyspace = "shop")
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class WithLocalCassandraIT {

    @Autowired
    private Shop.Orders orders;

    @Autowired
    private CqlSession session;

    @Test
    void locksAreInTheKeyspaceOfTheNode() {
        assertThat(orders.ship("7", () -> {})).isTrue();
        assertThat(session.execute("SELECT lock_id FROM shop.lock_slots").all())
                .extracting(row -> row.getString("lock_id"))
                .contains("order:7");
    }
}

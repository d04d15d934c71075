package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.internal.majority.Birth;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a process with the algorithm ticket alone on tables that are those of a cluster of the algorithm majority: it would
 * hold a lock in this cluster, while another process holds it in the others (docs/majority.md, section 1).
 *
 * @param births of these tables
 * @param keyspace of these tables
 */
public record MajorityCheck(CassandraBirthStore births, CqlIdentifier keyspace) {

    private static final Logger log = LoggerFactory.getLogger(MajorityCheck.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Reads the birth row, and blocks until it is there. Tables that cannot be read now are not refused: locks that come later
     * say why.
     *
     * @throws LockSchemaException.OfMajority if there is a birth row
     */
    public void requireNoMajority() {
        birth().ifPresent(birth -> {
            String cql = keyspace.asCql(true);
            throw new LockSchemaException.OfMajority(
                    "The lock tables in keyspace " + cql + " are those of the algorithm 'majority' ("
                            + birth.agreement()
                            + "). The algorithm 'ticket' would hold a lock there that others hold in the other clusters.",
                    "Let 'cassandra-lock.keyspace' name another keyspace. If no instance uses 'majority' with this one any"
                            + " more: "
                            + CassandraBirthStore.deletion(new QualifiedTable(keyspace, LockTable.SESSIONS)));
        });
    }

    private Optional<Birth> birth() {
        try {
            return births.read().toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("The birth row in keyspace {} could not be read", keyspace, e);
        }
        return Optional.empty();
    }
}

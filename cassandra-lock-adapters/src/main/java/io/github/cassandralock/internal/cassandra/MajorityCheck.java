package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.store.RefusedRequestException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a process with the algorithm ticket alone on tables of a cluster of the algorithm majority. It would hold a lock in this
 * cluster, while another process holds the lock in the others (docs/majority.md, section 1).
 *
 * @param birthRow reads the birth row of these tables
 * @param keyspace of these tables
 */
public record MajorityCheck(Supplier<CompletionStage<Optional<Birth>>> birthRow, CqlIdentifier keyspace) {

    private static final Logger log = LoggerFactory.getLogger(MajorityCheck.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Sends nothing yet; the tables must exist at the first read. The row is read without its mark. If only the mark is
     * missing, the tables belong to a majority that has lost a part.
     */
    public static MajorityCheck of(CqlRequests cassandra, CqlIdentifier keyspace) {
        return new MajorityCheck(
                new BirthRow(cassandra, new QualifiedTable(keyspace, LockTable.SESSIONS))::read, keyspace);
    }

    /**
     * Reads the birth row, and blocks until it is there. Tables that cannot be read now are not refused: {@link #beforeSession} reads
     * the row again before the first lock.
     *
     * @throws LockSchemaException if there is a birth row
     */
    public void requireNoMajority() {
        birth().map(this::refusal).ifPresent(refusal -> {
            throw refusal;
        });
    }

    /**
     * Reads the birth row again before a session is opened. Fails while there is one, or while it cannot be read. There may have
     * been no quorum, or no majority yet, at the start.
     */
    public CompletionStage<Void> beforeSession() {
        return birthRow.get()
                .thenAccept(birth -> birth.map(this::refusal).ifPresent(refusal -> {
                    throw new RefusedRequestException(refusal.getMessage() + " " + refusal.action(), refusal);
                }));
    }

    private LockSchemaException refusal(Birth birth) {
        String cql = keyspace.asCql(true);
        return new LockSchemaException(
                "The lock tables in keyspace " + cql + " belong to the algorithm 'majority' ("
                        + birth.agreement()
                        + "). The algorithm 'ticket' would hold a lock there that others hold in the other clusters.",
                "Set 'cassandra-lock.keyspace' to another keyspace. If no instance uses 'majority' with this keyspace any"
                        + " more, run: "
                        + BirthRow.deletion(new QualifiedTable(keyspace, LockTable.SESSIONS)));
    }

    private Optional<Birth> birth() {
        try {
            return birthRow.get().toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("The birth row in keyspace {} could not be read", keyspace, e);
        }
        return Optional.empty();
    }
}

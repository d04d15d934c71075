package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.majority.BirthStore;
import io.github.cassandralock.internal.majority.Maturity;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The birth row, in the table of sessions under a reserved id, with the incarnation as nonce. A mark with the same incarnation is
 * in the table of slots. A row without its mark counts as missing. Neither expires. Source: docs/majority.md, section 4.
 */
public final class CassandraBirthStore implements BirthStore {

    /** Lock ids of applications contain no control characters. */
    private static final String MARKS = "\u0001births";

    private static final CompletionStage<Void> NOTHING = CompletableFuture.completedStage(null);

    private record Seen(Optional<Birth> row, List<UUID> marks) {

        Optional<Birth> birth() {
            return row.filter(birth -> marks.contains(birth.incarnation()));
        }
    }

    private final TableRequests sessions;
    private final TableRequests slots;
    private final BirthRow row;
    private final PreparedStatement readMarks;
    private final PreparedStatement mark;
    private final PreparedStatement unmark;
    private final PreparedStatement insert;
    private final PreparedStatement replace;
    private final PreparedStatement ripen;

    /** Incarnations whose marks this process has written and not yet deleted. */
    private final Set<UUID> marked = ConcurrentHashMap.newKeySet();

    /** Prepares the statements; the tables must exist. */
    public CassandraBirthStore(CqlRequests cassandra, QualifiedTable slotTable, QualifiedTable sessionTable) {
        sessions = cassandra.to(sessionTable);
        slots = cassandra.to(slotTable);
        row = new BirthRow(cassandra, sessionTable);
        List<PreparedStatement> ofSlots = slots.prepare(
                slots.readOfManyRows("SELECT session FROM " + slotTable.cql() + " WHERE lock_id = ?"),
                slots.idempotent("INSERT INTO " + slotTable.cql() + " (lock_id, session, slot) VALUES (?, ?, 0)"
                        + " USING TIMESTAMP ? AND TTL 0"),
                slots.idempotent("DELETE FROM " + slotTable.cql()
                        + " USING TIMESTAMP ? WHERE lock_id = ? AND session = ? AND slot = 0"));
        readMarks = ofSlots.get(0);
        mark = ofSlots.get(1);
        unmark = ofSlots.get(2);
        List<PreparedStatement> ofSessions = sessions.prepare(
                sessions.conditional("INSERT INTO " + sessionTable.cql()
                        + " (session, nonce, owner, state) VALUES (?, ?, ?, ?) IF NOT EXISTS USING TTL 0"),
                sessions.conditional("UPDATE " + sessionTable.cql()
                        + " USING TTL 0 SET nonce = ?, owner = ?, state = ? WHERE session = ? IF nonce = ?"),
                sessions.conditional("UPDATE " + sessionTable.cql()
                        + " USING TTL 0 SET state = ? WHERE session = ? IF nonce = ? AND state IN ?"));
        insert = ofSessions.get(0);
        replace = ofSessions.get(1);
        ripen = ofSessions.get(2);
    }

    @Override
    public CompletionStage<Optional<Birth>> read() {
        return seen().thenApply(Seen::birth);
    }

    private CompletionStage<Seen> seen() {
        return row.read()
                .thenCombine(slots.readRows(readMarks.bind(MARKS), mark -> mark.getUuid("session")), Seen::new);
    }

    /** The mark is written before the row, so a row that is written here is complete. */
    @Override
    public CompletionStage<Void> write(Birth fresh) {
        return seen().thenCompose(seen -> {
            deleteOtherMarks(seen, fresh);
            return seen.birth().isPresent() ? NOTHING : write(fresh, seen);
        });
    }

    private CompletionStage<Void> write(Birth fresh, Seen seen) {
        marked.add(fresh.incarnation());
        return slots.write(mark.bind(MARKS, fresh.incarnation(), slots.timestamp()))
                .thenAccept(WriteOutcome::requireApplied)
                .thenCompose(done ->
                        change(seen.row().map(old -> replaced(fresh, old)).orElseGet(() -> inserted(fresh))))
                .thenAccept(done -> tidyUp(fresh));
    }

    /** Runs in the background: a failure does not affect the birth. */
    private void tidyUp(Birth fresh) {
        seen().thenAccept(now -> deleteOtherMarks(now, fresh));
    }

    /**
     * Marks do not expire. This process deletes its own marks, except for the row's incarnation and for a birth about to be
     * written. A row that is written late without its mark counts as missing.
     */
    private void deleteOtherMarks(Seen seen, Birth fresh) {
        Optional<UUID> born = seen.row().map(Birth::incarnation);
        boolean writing = seen.birth().isEmpty();
        marked.stream()
                .filter(incarnation -> !Optional.of(incarnation).equals(born))
                .filter(incarnation -> !(writing && incarnation.equals(fresh.incarnation())))
                .forEach(incarnation -> slots.write(unmark.bind(slots.timestamp(), MARKS, incarnation))
                        .thenAccept(outcome -> {
                            if (outcome instanceof WriteOutcome.Applied) {
                                marked.remove(incarnation);
                            }
                        }));
    }

    private BoundStatement inserted(Birth fresh) {
        return insert.bind(
                BirthRow.ID,
                fresh.incarnation(),
                fresh.agreement(),
                fresh.maturity().name());
    }

    private BoundStatement replaced(Birth fresh, Birth old) {
        return replace.bind(
                fresh.incarnation(), fresh.agreement(), fresh.maturity().name(), BirthRow.ID, old.incarnation());
    }

    @Override
    public CompletionStage<Void> ripen(UUID incarnation, Maturity maturity) {
        return change(ripen.bind(
                maturity.name(),
                BirthRow.ID,
                incarnation,
                Arrays.stream(Maturity.values())
                        .filter(before -> before.compareTo(maturity) < 0)
                        .map(Maturity::name)
                        .toList()));
    }

    /** Ignores whether the statement was applied: the next read returns the present row. */
    private CompletionStage<Void> change(Statement<?> statement) {
        return sessions.compareAndSet(statement, answer -> Optional.<Throwable>empty(), failure -> Optional.of(failure))
                .thenCompose(failure -> failure.map(CompletableFuture::<Void>failedFuture)
                        .orElseGet(() -> CompletableFuture.completedFuture(null)));
    }
}

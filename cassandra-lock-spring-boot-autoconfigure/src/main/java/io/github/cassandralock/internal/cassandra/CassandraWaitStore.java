package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.internal.store.HeldLock;
import io.github.cassandralock.internal.store.ModeCode;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.store.WaitingCall;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Waits in a table: a partition per session, a row per call. It sends little, so it prepares nothing, and the application starts
 * although the table cannot be used.
 */
public final class CassandraWaitStore implements WaitStore {

    private static final String COLUMNS =
            "seq, changed, interval_ms, owner, process, lock_id, mode, waits_as, slot, attempt,"
                    + " ticket, arrival, comes_after, converts, converts_from, held_locks, held_modes";

    private final TableRequests requests;
    private final String write;
    private final String remove;
    private final String read;

    public CassandraWaitStore(CqlRequests cassandra, QualifiedTable table) {
        requests = cassandra.to(table);
        write = "INSERT INTO " + table.cql() + " (session, wait, " + COLUMNS
                + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?";
        remove = "DELETE FROM " + table.cql() + " USING TIMESTAMP ? WHERE session = ? AND wait = ?";
        read = "SELECT wait, " + COLUMNS + " FROM " + table.cql() + " WHERE session = ?";
    }

    @Override
    public CompletionStage<WriteOutcome> write(WaitRow row, long timestamp, Duration ttl) {
        WaitingCall call = row.call();
        return requests.write(requests.unprepared(
                write,
                row.id().session(),
                row.id().number(),
                row.seq(),
                row.changed(),
                row.interval().toMillis(),
                call.owner(),
                call.process(),
                call.lockId(),
                ModeCode.of(call.mode()),
                ModeCode.of(call.waitsAs()),
                (short) call.slot(),
                call.attempt(),
                call.ticket(),
                call.arrival(),
                call.comesAfter(),
                call.converts(),
                ModeCode.of(call.convertsFrom()),
                call.held().stream().collect(Collectors.toMap(HeldLock::number, HeldLock::lockId)),
                call.held().stream().collect(Collectors.toMap(HeldLock::number, held -> ModeCode.of(held.mode()))),
                timestamp,
                Math.toIntExact(ttl.toSeconds())));
    }

    @Override
    public CompletionStage<WriteOutcome> remove(WaitId id, long timestamp) {
        return requests.write(requests.unprepared(remove, timestamp, id.session(), id.number()));
    }

    @Override
    public CompletionStage<List<WaitRow>> read(UUID session) {
        return requests.read(requests.unprepared(read, session), result -> rows(session, result));
    }

    private static List<WaitRow> rows(UUID session, AsyncResultSet result) {
        List<WaitRow> rows = new ArrayList<>();
        for (Row row : result.currentPage()) {
            if (!row.isNull("seq") && !row.isNull("lock_id")) {
                rows.add(new WaitRow(
                        new WaitId(session, row.getLong("wait")),
                        row.getLong("seq"),
                        row.getLong("changed"),
                        Duration.ofMillis(row.getLong("interval_ms")),
                        call(row)));
            }
        }
        return rows;
    }

    private static WaitingCall call(Row row) {
        return new WaitingCall(
                Objects.requireNonNullElse(row.getString("owner"), "unknown"),
                Objects.requireNonNullElse(row.getString("process"), "unknown"),
                Objects.requireNonNull(row.getString("lock_id")),
                ModeCode.mode(row.getByte("mode")),
                ModeCode.mode(row.getByte("waits_as")),
                row.getShort("slot"),
                row.getLong("attempt"),
                row.getLong("ticket"),
                row.getLong("arrival"),
                Optional.ofNullable(row.getList("comes_after", Long.class)).orElse(List.of()),
                row.getLong("converts"),
                ModeCode.mode(row.getByte("converts_from")),
                held(row));
    }

    private static List<HeldLock> held(Row row) {
        Map<Long, String> locks = Optional.ofNullable(row.getMap("held_locks", Long.class, String.class))
                .orElse(Map.of());
        Map<Long, Byte> modes = Optional.ofNullable(row.getMap("held_modes", Long.class, Byte.class))
                .orElse(Map.of());
        return new TreeMap<>(locks)
                .entrySet().stream()
                        .map(held -> new HeldLock(
                                held.getKey(), held.getValue(), ModeCode.mode(modes.getOrDefault(held.getKey(), (byte)
                                        0))))
                        .toList();
    }
}

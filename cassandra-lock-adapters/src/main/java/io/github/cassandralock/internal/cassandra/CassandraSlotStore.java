package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.ModeCode;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Slots in a table: a partition per lock, a row per slot, the last token in a static column.
 */
public final class CassandraSlotStore implements SlotStore {

    /** Higher than every session's counter, so a late write of a dead session cannot undo its eviction. */
    private static final long ABOVE_EVERY_COUNTER = 1L << 62;

    private static final Duration LAST_TOKEN_LIFE = Duration.ofDays(7);

    /** The first columns of each read of slots. The driver finds a column sooner by its position than by its name. */
    static final String COLUMNS = "session, slot, attempt, phase, mode, ticket, base, last_token";

    private static final int SESSION = 0;
    private static final int SLOT = 1;
    private static final int ATTEMPT = 2;
    private static final int PHASE = 3;
    private static final int MODE = 4;
    private static final int TICKET = 5;
    private static final int BASE = 6;
    private static final int LAST_TOKEN = 7;

    private final TableRequests requests;
    private final PreparedStatement write;
    private final PreparedStatement reserve;
    private final PreparedStatement delete;
    private final PreparedStatement read;
    private final PreparedStatement openValue;
    private final PreparedStatement closeValue;
    private final PreparedStatement readValue;

    /** Prepares the statements; the table must exist. */
    public CassandraSlotStore(CqlRequests cassandra, QualifiedTable table) {
        requests = cassandra.to(table);
        List<PreparedStatement> prepared = requests.prepare(
                requests.idempotent(
                        "INSERT INTO " + table.cql()
                                + " (lock_id, session, slot, attempt, phase, mode, ticket, base) VALUES (?, ?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?"),
                requests.idempotent("INSERT INTO " + table.cql()
                        + " (lock_id, last_token) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?"),
                requests.idempotent(
                        "DELETE FROM " + table.cql() + " USING TIMESTAMP ? WHERE lock_id = ? AND session = ?"),
                requests.readOfManyRows("SELECT " + COLUMNS + " FROM " + table.cql() + " WHERE lock_id = ?"),
                requests.idempotent("INSERT INTO " + table.cql()
                        + " (lock_id, value_open) VALUES (?, ?) USING TIMESTAMP ? AND TTL 0"),
                requests.idempotent("INSERT INTO " + table.cql()
                        + " (lock_id, value, value_token) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL 0"),
                requests.idempotent("SELECT DISTINCT lock_id, value, value_token, value_open FROM " + table.cql()
                        + " WHERE lock_id = ?"));
        write = prepared.get(0);
        reserve = prepared.get(1);
        delete = prepared.get(2);
        read = prepared.get(3);
        openValue = prepared.get(4);
        closeValue = prepared.get(5);
        readValue = prepared.get(6);
    }

    @Override
    public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
        return requests.write(write.bind(
                requests.stored(lockId),
                slot.session(),
                (short) slot.id().number(),
                slot.attempt(),
                slot.phase().code(),
                ModeCode.of(slot),
                slot.ticket(),
                (short) slot.base(),
                timestamp,
                Math.toIntExact(ttl.toSeconds())));
    }

    /** The token is its own timestamp, so a write of a lower token changes nothing, however late it arrives. */
    @Override
    public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
        return requests.write(reserve.bind(
                requests.stored(lockId), lastToken, lastToken, Math.toIntExact(LAST_TOKEN_LIFE.toSeconds())));
    }

    /** The token is the timestamp, so a late write of a lower token changes nothing. */
    @Override
    public CompletionStage<WriteOutcome> openValue(String lockId, long token) {
        return requests.write(openValue.bind(requests.stored(lockId), token, token));
    }

    @Override
    public CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes) {
        return requests.write(
                closeValue.bind(requests.stored(lockId), ByteBuffer.wrap(bytes).asReadOnlyBuffer(), token, token));
    }

    /** Leaves out the slots, because each of their rows would repeat the value. */
    @Override
    public CompletionStage<StoredValue> readValue(String lockId) {
        return requests.read(readValue.bind(requests.stored(lockId)), CassandraSlotStore::value);
    }

    private static StoredValue value(AsyncResultSet result) {
        Row row = result.one();
        return row == null
                ? StoredValue.NONE
                : new StoredValue(
                        bytes(row.getByteBuffer("value")), token(row, "value_token"), token(row, "value_open"));
    }

    private static byte[] bytes(@Nullable ByteBuffer value) {
        return value == null ? new byte[0] : ByteUtils.getArray(value);
    }

    private static long token(Row row, String column) {
        return row.isNull(column) ? 0 : row.getLong(column);
    }

    /** One range deletion covers the session's present slots and those whose writes arrive later. */
    @Override
    public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
        return requests.write(delete.bind(ABOVE_EVERY_COUNTER, requests.stored(lockId), session));
    }

    @Override
    public CompletionStage<LockSlots> read(String lockId) {
        return requests.read(
                read.bind(requests.stored(lockId)), result -> slots(result, CassandraSlotStore::slot, LockSlots::new));
    }

    /**
     * Reads the slots of a lock, and the last token, which each row shows. The statement selects {@link #COLUMNS} first.
     *
     * @param slot reads the slot of a session
     * @param all makes the result of both
     */
    static <S, T> T slots(
            AsyncResultSet result, BiFunction<UUID, Row, S> slot, BiFunction<List<S>, OptionalLong, T> all) {
        List<S> slots = new ArrayList<>();
        OptionalLong lastToken = OptionalLong.empty();
        for (Row row : result.currentPage()) {
            if (!row.isNull(LAST_TOKEN)) {
                lastToken = OptionalLong.of(row.getLong(LAST_TOKEN));
            }
            UUID session = row.getUuid(SESSION);
            if (session != null) {
                slots.add(slot.apply(session, row));
            }
        }
        return all.apply(slots, lastToken);
    }

    static Slot slot(UUID session, Row row) {
        return new Slot(
                new SlotId(session, row.getShort(SLOT)),
                row.getLong(ATTEMPT),
                SlotPhase.of(row.getByte(PHASE)),
                ModeCode.mode(row.getByte(MODE)),
                row.getLong(TICKET),
                row.isNull(BASE) ? Slot.NO_BASE : row.getShort(BASE),
                ModeCode.permits(row.getByte(MODE)));
    }
}

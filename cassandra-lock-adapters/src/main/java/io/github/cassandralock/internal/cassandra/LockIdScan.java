package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import io.github.cassandralock.internal.inspect.LockIds;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads lock ids of the table of slots, in parts. A part is a range of tokens. Its name is the token before the range, which
 * reveals no lock id. Thread-safe.
 *
 * <p>A read passes all deleted partitions until it has found enough ids. Cassandra rejects it if these are too many, and would reject
 * it again. After such a failure the parts have half as many tokens. They grow again when reads succeed.
 */
final class LockIdScan {

    /** A part without an end, so a small table is one part. */
    private static final long UNBOUNDED = Long.MAX_VALUE;

    /** A millionth of all tokens. A failure of so small a part has another cause than its size. */
    static final long FEWEST_TOKENS = 1L << 44;

    private final String table;
    private final TableRequests slots;
    private final String readAll;
    private final String readRange;

    /** How many tokens the next part has. Parts of any size are correct, so all scans share it. */
    private final AtomicLong tokens = new AtomicLong(UNBOUNDED);

    LockIdScan(String table, TableRequests slots) {
        this.table = table;
        this.slots = slots;
        String read = "SELECT DISTINCT token(lock_id) AS position, lock_id FROM " + table + " WHERE token(lock_id) > ?";
        this.readAll = read + " LIMIT ?";
        this.readRange = read + " AND token(lock_id) <= ? LIMIT ?";
    }

    /**
     * Reads one part.
     *
     * @param after the name of the part; empty for the first one
     * @param most how many ids are read
     * @throws IllegalArgumentException if there is no such part
     */
    CompletionStage<LockIds> lockIds(String after, int most) {
        return new Part(position(after), tokens.get(), most).read();
    }

    private static long position(String name) {
        if ("".equals(name)) {
            return Long.MIN_VALUE;
        }
        try {
            long position = Long.parseLong(name);
            if (Long.toString(position).equals(name)) {
                return position;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new IllegalArgumentException(
                "There is no such page of locks. Leave the page out to begin with the first page. Then use the name"
                        + " that the answer has for the next page");
    }

    private record Found(long position, String stored) {

        private static Found of(Row row) {
            return new Found(row.getLong("position"), Objects.requireNonNull(row.getString("lock_id")));
        }
    }

    private final class Part {

        private final long after;
        private final long size;
        private final long end;
        private final int most;

        private Part(long after, long size, int most) {
            this.after = after;
            this.size = after < 0 ? size : Math.min(size, Long.MAX_VALUE - after);
            this.end = this.size == UNBOUNDED ? Long.MAX_VALUE : after + this.size;
            this.most = most;
        }

        private CompletionStage<LockIds> read() {
            return slots.read(
                    end == Long.MAX_VALUE
                            ? slots.readOfManyRows(readAll, after, most)
                            : slots.readOfManyRows(readRange, after, end, most),
                    this::found,
                    this::afterFailure);
        }

        private LockIds found(AsyncResultSet result) {
            List<Found> all = TableRequests.values(result, Found::of);
            List<String> ids = all.stream()
                    .flatMap(id -> slots.lockId(id.stored()).stream())
                    .toList();
            if (all.size() >= most) {
                return new LockIds(ids, name(all.get(all.size() - 1).position()), Optional.empty());
            }
            tokens.compareAndSet(size, size > UNBOUNDED / 2 ? UNBOUNDED : size + size / 2);
            return new LockIds(ids, name(end), Optional.empty());
        }

        /** A time-out may have another cause, so it is reported; a repeated call reads a smaller part. */
        private Optional<LockIds> afterFailure(Throwable failure) {
            boolean rejected = failure instanceof ReadFailureException;
            boolean late = failure instanceof ReadTimeoutException || failure instanceof DriverTimeoutException;
            if ((rejected || late) && size / 2 >= FEWEST_TOKENS) {
                tokens.accumulateAndGet(size / 2, Math::min);
                return rejected ? Optional.of(new LockIds(List.of(), name(after), Optional.empty())) : Optional.empty();
            }
            return rejected
                    ? Optional.of(new LockIds(List.of(), name(end), Optional.of(unread(failure))))
                    : Optional.empty();
        }

        private String unread(Throwable failure) {
            return "Locks may be missing. A part of the table " + table + " could not be read (tokens above " + after
                    + ", up to " + end + "): " + failure.getMessage()
                    + ". The next page begins after that part. Look into the logs of the nodes, and list the locks"
                    + " again";
        }

        private static Optional<String> name(long position) {
            return position == Long.MAX_VALUE ? Optional.empty() : Optional.of(Long.toString(position));
        }
    }
}

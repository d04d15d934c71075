package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.table.FailedMessage;
import io.github.cassandralock.exactlyonce.table.MessageFailedException;
import io.github.cassandralock.exactlyonce.table.MessageKind;
import io.github.cassandralock.exactlyonce.table.MessageTable;
import io.github.cassandralock.exactlyonce.table.TableMessage;
import io.github.cassandralock.exactlyonce.table.TableTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A table of messages: rows are locked, and effects and deletions change together, or not at all. */
final class SimulatedTable implements MessageTable {

    /** The server ends a transaction that is older, and whose copy may stand still. */
    private static final long LONGEST_TRANSACTION = 300;

    private static final class Row {
        final long id;
        final Optional<Integer> lane;
        int failures;
        long notBefore;
        Optional<Transaction> lockedBy = Optional.empty();

        Row(long id, Optional<Integer> lane) {
            this.id = id;
            this.lane = lane;
        }
    }

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final Supplier<Faults> faults;
    private final Predicate<Long> fails;
    private final Map<Long, Row> rows = new TreeMap<>();
    private final List<Long> pushed = new ArrayList<>();
    private long inserted;
    final List<Long> effects = new ArrayList<>();

    /** @param fails whether the effect of a message fails at present */
    SimulatedTable(Scheduler scheduler, SplittableRandom random, Supplier<Faults> faults, Predicate<Long> fails) {
        this.scheduler = scheduler;
        this.random = random;
        this.faults = faults;
        this.fails = fails;
    }

    /** Draws the id of a message. Others see the message after {@link #commit}. */
    long insert() {
        return inserted++;
    }

    /** The commit of whoever pushes. */
    void commit(long id, Optional<Integer> lane) {
        rows.put(id, new Row(id, lane));
        pushed.add(id);
    }

    long inserted() {
        return inserted;
    }

    /** The messages that are committed. */
    List<Long> pushed() {
        return List.copyOf(pushed);
    }

    /** Whether no message has gone without an effect. */
    boolean isEachThereOrDone() {
        return pushed.stream().allMatch(id -> rows.containsKey(id) || effects.contains(id));
    }

    @Override
    public int count(int most) {
        return Math.min(most, rows.size());
    }

    private void answerOrNot() throws InterruptedException {
        scheduler.pass();
        if (random.nextDouble() < faults.get().unavailable()) {
            throw new RegisterUnavailableException("no answer", new IllegalStateException());
        }
    }

    @Override
    public TableTransaction begin() throws InterruptedException {
        answerOrNot();
        return new Transaction();
    }

    @Override
    public void postpone(TableMessage message, Duration pause, String reason) throws InterruptedException {
        answerOrNot();
        Row row = rows.get(message.id());
        if (row != null) {
            row.failures++;
            row.notBefore = scheduler.step() + pause.toMillis();
        }
    }

    /** The oldest first message of a lane that has never failed. */
    private Optional<Row> head() {
        Map<Integer, List<Row>> lanes = rows.values().stream()
                .filter(row -> row.lane.isPresent())
                .collect(Collectors.groupingBy(row -> row.lane.orElseThrow(), TreeMap::new, Collectors.toList()));
        return lanes.values().stream()
                .filter(lane -> isFree(lane.get(0)) && lane.get(0).failures == 0)
                .map(lane -> lane.get(0))
                .min(Comparator.comparing(row -> row.id));
    }

    /** The first message of a lane and those behind it, by one snapshot. */
    private List<Row> lane(Row head, int most) {
        if (!isHead(head)) {
            return List.of();
        }
        return rows.values().stream()
                .filter(row -> row.lane.equals(head.lane) && row.id >= head.id)
                .limit(most)
                .toList();
    }

    private boolean isHead(Row row) {
        return rows.values().stream().noneMatch(other -> other.lane.equals(row.lane) && other.id < row.id);
    }

    private boolean isDue(Row row) {
        return row.notBefore <= scheduler.step() && isFree(row);
    }

    private List<Row> unordered(int most, boolean failed) {
        return rows.values().stream()
                .filter(row -> row.lane.isEmpty() || (failed && isHead(row)))
                .filter(row -> failed == row.failures > 0)
                .filter(this::isDue)
                .sorted(Comparator.comparing(row -> failed ? row.notBefore : row.id))
                .limit(most)
                .toList();
    }

    private static boolean isFree(Row row) {
        return row.lockedBy.filter(Transaction::isOpen).isEmpty();
    }

    private void change(List<Long> made, List<Long> deleted) throws InterruptedException {
        effects.addAll(made);
        deleted.forEach(rows::remove);
    }

    private final class Transaction implements TableTransaction {

        private final long began = scheduler.step();
        private final List<Long> made = new ArrayList<>();
        private final List<Long> deleted = new ArrayList<>();
        private boolean ended;

        private boolean isOpen() {
            return !ended && scheduler.step() - began <= LONGEST_TRANSACTION;
        }

        private void requireOpen() {
            if (!isOpen()) {
                throw new RegisterUnavailableException("the server has ended it", new IllegalStateException());
            }
        }

        @Override
        public List<TableMessage> lock(int most, MessageKind kind) throws InterruptedException {
            answerOrNot();
            requireOpen();
            List<Row> due = kind == MessageKind.ORDERED ? ordered(most) : unordered(most, kind == MessageKind.FAILED);
            due.forEach(this::lock);
            return due.stream()
                    .map(row -> new TableMessage(row.id, Bytes.none(), row.failures))
                    .toList();
        }

        private void lock(Row row) {
            row.lockedBy = Optional.of(this);
        }

        /** Two statements: others commit between them. The second one waits for messages that others have locked. */
        private List<Row> ordered(int most) throws InterruptedException {
            Optional<Row> head = head();
            if (head.isEmpty()) {
                return List.of();
            }
            lock(head.get());
            answerOrNot();
            List<Row> locked = new ArrayList<>();
            for (Row row : lane(head.get(), most)) {
                while (row.lockedBy
                        .filter(other -> other != this && other.isOpen())
                        .isPresent()) {
                    scheduler.pass();
                    requireOpen();
                }
                if (rows.containsKey(row.id)) {
                    lock(row);
                    locked.add(row);
                }
            }
            return locked;
        }

        @Override
        public List<FailedMessage> failed(int most) {
            return rows.values().stream()
                    .filter(row -> row.failures > 0)
                    .limit(most)
                    .map(row -> new FailedMessage(row.id, row.failures, "ill"))
                    .toList();
        }

        @Override
        public void apply(List<TableMessage> messages) throws MessageFailedException {
            for (TableMessage message : messages) {
                if (fails.test(message.id())) {
                    throw new MessageFailedException(new IllegalStateException("ill"));
                }
                made.add(message.id());
            }
        }

        @Override
        public void delete(List<TableMessage> messages) {
            messages.forEach(message -> deleted.add(message.id()));
        }

        @Override
        public void commit() throws InterruptedException {
            answerOrNot();
            requireOpen();
            boolean unknown = random.nextDouble() < faults.get().unknown();
            if (!unknown || random.nextBoolean()) {
                change(made, deleted);
            }
            if (unknown) {
                throw new UnknownOutcomeException("no answer to the commit", new IllegalStateException());
            }
        }

        @Override
        public void close() {
            ended = true;
        }
    }
}

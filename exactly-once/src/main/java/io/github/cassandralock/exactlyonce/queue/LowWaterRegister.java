package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.VersionedRegister;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The register of the low-water record. Only compare-and-set changes it (docs/exactly-once.md, section 2). */
final class LowWaterRegister {

    /** How many cells one change buries, so that a consumer is not delayed for long. */
    private static final int MOST_BURIED_AT_ONCE = 256;

    /** How many cells are read for one change, so that only these are read again if the change is refused. */
    private static final int MOST_READ_AT_ONCE = 1_024;

    private final VersionedRegister register;
    private final Cells cells;
    private final int mostProducers;

    /** The birth that this process has seen; empty at first. */
    private volatile String knownBirth = "";

    LowWaterRegister(Cells cells, int mostProducers) {
        this.cells = cells;
        this.mostProducers = mostProducers;
        register = cells.registers().named("queue/" + cells.queue() + "/low-water");
    }

    /** A record with the version that it has or had. */
    private record Seen(long version, LowWater record) {}

    private Seen seen(StoredValue stored) {
        if (stored.getVersion() == 0) {
            return new Seen(0, LowWater.ofNewQueue(cells.layout()));
        }
        LowWater record = LowWater.ofBytes(cells.queue(), stored.getValue());
        String configured = cells.layout().getText();
        if (!record.layout().equals(configured)) {
            throw new IllegalStateException("Queue " + cells.queue() + " was created with the layout " + record.layout()
                    + ", but this program is configured with " + configured + ". Configure " + record.layout()
                    + " for it here, too, or use a queue with a new name once this queue is empty; the sinks and pumps"
                    + " of the new queue need new names, too");
        }
        if (record.isBorn()) {
            requireKnownBirth(record.birth());
        }
        return new Seen(stored.getVersion(), record);
    }

    private void requireKnownBirth(String birth) {
        if (!knownBirth.isEmpty() && !knownBirth.equals(birth)) {
            throw new MismatchedStoresException("Queue " + cells.queue()
                    + " was made afresh while this program used it: its registers were deleted, or the store was emptied."
                    + " Restart the program, and use a new name for the queue");
        }
        knownBirth = birth;
    }

    /** The record after a try to change it. It is not the changed one if another process was faster. */
    private Seen changed(Seen seen, LowWater next) throws InterruptedException {
        return seen(register.compareAndSet(seen.version(), next.toBytes()).present());
    }

    /** The record with its birth, drawn once for a new queue or a queue of an older program version. */
    private Seen born(StoredValue stored) throws InterruptedException {
        Seen seen = seen(stored);
        while (!seen.record().isBorn()) {
            seen = changed(seen, seen.record().bornAs(UUID.randomUUID().toString()));
        }
        return seen;
    }

    /** The record, perhaps an old one. The first reader of a new queue writes it, so that others see the layout. */
    LowWater read() throws InterruptedException {
        return born(register.read()).record();
    }

    /** Adds a consumer with a mark at L, so that it cannot lose a cell. An existing consumer keeps its mark. */
    ConsumerStart addConsumer(String consumer) throws InterruptedException {
        Seen seen = notRemoved(born(register.read()), consumer);
        while (!seen.record().marks().containsKey(consumer)) {
            requireRoom(seen.record(), consumer);
            LowWater added = seen.record().withMark(consumer, seen.record().index());
            seen = notRemoved(changed(seen, added), consumer);
        }
        long mark = seen.record().marks().get(consumer);
        return new ConsumerStart(mark, seen.record().check());
    }

    /** A record that is longer than a register would stop the queue permanently. */
    private void requireRoom(LowWater record, String consumer) {
        if (!record.hasRoomForConsumer()) {
            throw new IllegalStateException("Consumer " + consumer + " cannot be registered at queue " + cells.queue()
                    + ", which has had " + LowWater.MOST_CONSUMERS
                    + " consumers. The queue keeps the names of removed consumers, too. Use a queue with a new name,"
                    + " and names of consumers that do not change with each start");
        }
    }

    /**
     * Stores that a producer's name belongs to the state with this birth, until the producer is forgotten. Then another state may
     * get the name, and an old record shows the earlier birth.
     */
    void attachProducer(String producer, String birth) throws InterruptedException {
        attach(
                born(register.read()),
                producer,
                birth,
                LowWater::producers,
                record -> record.withProducer(producer, birth, mostProducers));
    }

    /**
     * Stores that a consumer's name belongs to the position or state with this birth. The consumer must be registered.
     *
     * @return the present record, with the birth. An old record may show a lower mark, which hides that a position was restored
     */
    LowWater attachConsumer(String consumer, String birth) throws InterruptedException {
        return attach(
                registeredIn(born(register.readPresent()), consumer),
                consumer,
                birth,
                LowWater::births,
                record -> record.withConsumer(consumer, birth));
    }

    private LowWater attach(
            Seen present,
            String name,
            String birth,
            Function<LowWater, SortedMap<String, String>> births,
            UnaryOperator<LowWater> attaching)
            throws InterruptedException {
        Seen seen = present;
        while (!births.apply(seen.record()).containsKey(name)) {
            seen = changed(seen, attaching.apply(seen.record()));
        }
        boolean same = birth.equals(births.apply(seen.record()).get(name))
                || birth.equals(
                        births.apply(seen(register.readPresent()).record()).get(name));
        if (!same) {
            throw new MismatchedStoresException("Queue " + cells.queue() + " was used before by another " + name
                    + ". The state or position of the other " + name
                    + " was lost or emptied, or is in another store. Use that store again; or begin under a new name, and"
                    + " remove the consumer " + name + " from the queue if there is one");
        }
        return seen.record();
    }

    /**
     * Removes a consumer permanently, so that nothing waits for it. Its name stays in the record, so that its copies find it there
     * and end.
     */
    void removeConsumer(String consumer) throws InterruptedException {
        Seen seen = certain(born(register.read()), consumer);
        while (!seen.record().removed().contains(consumer)) {
            if (!seen.record().marks().containsKey(consumer)) {
                throw unknown(consumer, seen.record());
            }
            seen = changed(seen, withAllCellsRead(seen.record().without(consumer)));
        }
    }

    /** Raises L as far as the marks allow. Any process may do that, so that none waits for a consumer to do it. */
    LowWater raise() throws InterruptedException {
        Seen seen = born(register.read());
        LowWater raised = withAllCellsRead(seen.record());
        return raised.equals(seen.record()) ? raised : changed(seen, raised).record();
    }

    /**
     * Raises a mark to an input index of a <b>committed</b> state, and L towards the lowest of all marks. L may be far below it,
     * for example after another consumer stood still for long. Then L rises only by a part, but by more than the messages that
     * arrive until the next call.
     *
     * @return whether L is the lowest mark, and all cells below it are cleaned. If not, the caller tries again later
     */
    boolean raiseMark(String consumer, long index) throws InterruptedException {
        Seen seen = registeredIn(born(register.read()), consumer);
        long enough = seen.record().index()
                + Math.max(MOST_READ_AT_ONCE, 2 * cells.layout().getIndexesBetweenMarks());
        while (true) {
            LowWater raised = withAllCellsRead(withCellsBuried(seen.record()).withMark(consumer, index));
            if (raised.equals(seen.record())) {
                return isComplete(raised);
            }
            CompareAndSetOutcome outcome = register.compareAndSet(seen.version(), raised.toBytes());
            if (outcome instanceof Applied && (raised.index() >= enough || !hasMoreToRead(seen.record(), raised))) {
                return isComplete(raised);
            }
            seen = registeredIn(seen(outcome.present()), consumer);
        }
    }

    private Seen registeredIn(Seen read, String consumer) throws InterruptedException {
        Seen certain = notRemoved(certain(read, consumer), consumer);
        if (certain.record().marks().containsKey(consumer)) {
            return certain;
        }
        throw unknown(consumer, certain.record());
    }

    /** A record that shows the consumer neither as registered nor as removed may be old. Then the present record is read. */
    private Seen certain(Seen read, String consumer) throws InterruptedException {
        boolean named = read.record().marks().containsKey(consumer)
                || read.record().removed().contains(consumer);
        return named ? read : seen(register.readPresent());
    }

    private UnknownConsumerException unknown(String consumer, LowWater record) {
        return new UnknownConsumerException("Consumer " + consumer + " is not registered at queue " + cells.queue()
                + ", which has the consumers " + record.marks().keySet()
                + ". Messages that it has not taken may be overwritten. Use a new name for the consumer");
    }

    /** A removed consumer never comes back, so even an old record that shows it as removed is right. */
    private Seen notRemoved(Seen seen, String consumer) {
        if (seen.record().removed().contains(consumer)) {
            throw new ConsumerRemovedException("Consumer " + consumer + " was removed from queue " + cells.queue()
                    + ", so messages that it has not taken may be overwritten. Stop its copies, and take the queue out of its"
                    + " definition; to take this queue again, use a new name");
        }
        return seen;
    }

    /** Whether a change stopped only because it had read enough cells for one change. */
    private static boolean hasMoreToRead(LowWater before, LowWater raised) {
        return raised.index() - before.index() == MOST_READ_AT_ONCE && raised.index() < raised.lowestMark();
    }

    private boolean isComplete(LowWater record) {
        return record.index() == record.lowestMark()
                && (!cells.layout().isCleaningCells() || record.cleaned() >= record.index() - 1);
    }

    /** Raises L over cells that it reads, and keeps their sequences. Stops at a cell that a read does not show. */
    private LowWater withAllCellsRead(LowWater record) throws InterruptedException {
        SequenceCheck check = record.check();
        long index = record.index();
        long end = Math.min(record.lowestMark(), index + MOST_READ_AT_ONCE);
        while (index < end && cells.get(index) instanceof Cell.Full full) {
            check = check.after(index, full.message().id(), mostProducers);
            index++;
        }
        return record.raisedTo(index, check);
    }

    /**
     * Only cells below a committed L may be cleaned; an old L is lower, hence safe. The last cell keeps its payloads. It may be the
     * last of the queue, which shows where a sole producer continues.
     */
    private LowWater withCellsBuried(LowWater committed) throws InterruptedException {
        if (!cells.layout().isCleaningCells()) {
            return committed;
        }
        long end = Math.min(committed.index() - 1, committed.cleaned() + MOST_BURIED_AT_ONCE);
        long cleaned = committed.cleaned();
        while (cleaned < end && cells.bury(cleaned)) {
            cleaned++;
        }
        return committed.cleanedTo(cleaned);
    }

    /**
     * Whether a message was at an index whose cell was used again. Empty if its producer was forgotten since. L is above that index
     * by now, although a read may not show it yet.
     */
    Optional<Boolean> wasThere(long index, MessageId id) throws InterruptedException {
        GrowingPauses.Series pauses =
                cells.registers().pauses().begin(cells.registers().pauser());
        LowWater record = read();
        while (record.index() <= index) {
            pauses.pause();
            record = read();
        }
        return record.check().wasThere(index, id);
    }
}

package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Refused;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.VersionedRegister;
import java.util.List;

/**
 * The cells of a queue, one register each, and the queue's end as reads of the cells show it. A full cell is final. An absent
 * cell is a hint, since a read may be old. Thread-safe. Methods block and do I/O.
 */
record Cells(String queue, Layout layout, Registers registers) {

    /** How far behind an absent cell the lag searches a message. */
    private static final long FARTHEST_BEHIND_A_HOLE = 1_024;

    private static final int MESSAGE = 1;
    private static final int TOMBSTONE = 2;

    /** What is at an index after a write to its cell. */
    enum Found {
        /** The message, or its tombstone. */
        OURS,
        /** Another message, or the tombstone of another. */
        ANOTHERS,
        /** Unknown, since the cell was used again. The message may have been there. */
        USED_AGAIN
    }

    /**
     * The result of a write to a cell.
     *
     * @param found at the index
     * @param fullBelow all cells below this index are full
     */
    record Written(Found found, long fullBelow) {}

    private VersionedRegister cell(long index) {
        return registers.named("queue/" + queue + "/cells/" + layout.cellOf(index));
    }

    /** The version of the cell while it holds index {@code i}. */
    private long fullVersion(long index) {
        return layout.expectedVersion(index) + 1;
    }

    Cell get(long index) throws InterruptedException {
        return cell(index, cell(index).read());
    }

    /** Reads a cell. Absence is certain: a read may be old, so a compare-and-set confirms it. */
    Cell getConfirmed(long index) throws InterruptedException {
        Cell read = get(index);
        return read instanceof Cell.Absent ? cell(index, cell(index).readPresent()) : read;
    }

    private Cell cell(long index, StoredValue stored) {
        if (stored.getVersion() < fullVersion(index)) {
            return new Cell.Absent();
        }
        if (stored.getVersion() > fullVersion(index)) {
            return new Cell.Gone();
        }
        return new Cell.Full(message(index, stored));
    }

    /**
     * Repeats the write until the cell is certainly full.
     *
     * @param onlyWrite whether nobody else writes this message to this index, before or meanwhile
     */
    Written write(long index, Message message, boolean onlyWrite) throws InterruptedException {
        CompareAndSetOutcome outcome = writeOnce(index, message);
        StoredValue present = outcome.present();
        Found found = outcome instanceof Applied ? Found.OURS : found(index, message, present);
        boolean certainlyNotThere = onlyWrite && outcome instanceof Refused;
        return new Written(
                found == Found.USED_AGAIN && certainlyNotThere ? Found.ANOTHERS : found,
                layout.indexIn(index, present.getVersion()) + 1);
    }

    private Found found(long index, Message message, StoredValue present) {
        if (present.getVersion() > fullVersion(index) && !layout.isCleaningCells()) {
            return Found.USED_AGAIN;
        }
        return idIn(index, present).equals(message.id()) ? Found.OURS : Found.ANOTHERS;
    }

    /**
     * Writes a message that no other call writes to this index. Repeats the write until the cell is certainly full.
     *
     * @return whether this call wrote it; if not, another message is there, or it is unknown whether this message was
     */
    boolean append(long index, Message message) throws InterruptedException {
        return writeOnce(index, message) instanceof Applied;
    }

    private CompareAndSetOutcome writeOnce(long index, Message message) throws InterruptedException {
        return cell(index)
                .compareAndSet(layout.expectedVersion(index), bytesOf(MESSAGE, message.id(), message.payloads()));
    }

    /** Whether a message is, or was, at an index. Both answers are certain. */
    boolean isFilled(long index) throws InterruptedException {
        return !(getConfirmed(index) instanceof Cell.Absent);
    }

    /** Overwrites a cell that all consumers have taken. Returns false if a read does not show its message yet. */
    boolean bury(long index) throws InterruptedException {
        StoredValue stored = cell(index).read();
        if (stored.getVersion() < fullVersion(index)) {
            return false;
        }
        if (stored.getVersion() == fullVersion(index)) {
            cell(index)
                    .compareAndSet(
                            stored.getVersion(),
                            bytesOf(TOMBSTONE, message(index, stored).id(), List.of()));
        }
        return true;
    }

    private Message message(long index, StoredValue stored) {
        ByteDecoder fields = fields(index, stored);
        if (fields.readTag() != MESSAGE) {
            throw malformed(index);
        }
        Message message = new Message(id(fields), fields.readAll(ByteDecoder::readBytes));
        fields.requireEnd();
        return message;
    }

    private MessageId idIn(long index, StoredValue stored) {
        ByteDecoder fields = fields(index, stored);
        int tag = fields.readTag();
        if (tag != MESSAGE && tag != TOMBSTONE) {
            throw malformed(index);
        }
        return id(fields);
    }

    private ByteDecoder fields(long index, StoredValue stored) {
        return new ByteDecoder("index " + index + " of queue " + queue, stored.getValue());
    }

    private MalformedBytesException malformed(long index) {
        return new MalformedBytesException("Index " + index + " of queue " + queue
                + " has a format that this version of the program does not support. Upgrade it, and check that all programs use"
                + " the same layout");
    }

    private static MessageId id(ByteDecoder fields) {
        return new MessageId(fields.readText(), fields.readNumber(), fields.readTag() == 1);
    }

    private static byte[] bytesOf(int tag, MessageId id, List<byte[]> payloads) {
        return new ByteEncoder()
                .tag(tag)
                .text(id.producer())
                .number(id.sequence())
                .tag(id.anonymous() ? 1 : 0)
                .all(payloads, ByteEncoder::bytes)
                .toBytes();
    }

    /**
     * Finds the first absent cell by steps that double and then halve. No producer leaves a hole below a full cell.
     *
     * @param from below which all cells are full
     */
    long firstAbsent(long from) throws InterruptedException {
        long step = 1;
        while (!(get(from + step - 1) instanceof Cell.Absent)) {
            step *= 2;
        }
        long full = step / 2;
        long absent = step;
        while (absent - full > 1) {
            long middle = full + (absent - full) / 2;
            if (get(from + middle - 1) instanceof Cell.Absent) {
                absent = middle;
            } else {
                full = middle;
            }
        }
        return from + full;
    }

    /** Counts the messages that follow, including messages behind a hole, and the hole. */
    long lagBehind(long index) throws InterruptedException {
        long end = firstAbsent(index);
        long hole = end;
        for (long step = 1; step <= FARTHEST_BEHIND_A_HOLE && layout.mayWrite(hole + step, index); step *= 2) {
            if (!(get(hole + step) instanceof Cell.Absent)) {
                end = hole + step;
            }
        }
        return (end == hole ? end : firstAbsent(end)) - index;
    }

    /** Checks that the message before an index is there, which a consumer has taken. An absence that a read shows is confirmed. */
    void requireReached(String consumer, long index) throws InterruptedException {
        if (index > 0 && !isFilled(index - 1)) {
            throw new MismatchedStoresException(
                    "Queue " + queue + " has no message at index " + (index - 1) + ", which " + consumer
                            + " has taken. The queue's store was restored from a backup, or has forgotten what it had"
                            + " acknowledged. Messages that are pushed now would be lost to " + consumer
                            + ". Begin again with new names for the queue and its consumers");
        }
    }
}

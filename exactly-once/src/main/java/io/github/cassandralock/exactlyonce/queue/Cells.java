package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.VersionedRegister;
import java.util.List;

/** The cells of a queue, one register each. */
final class Cells {

    private static final int MESSAGE = 1;
    private static final int TOMBSTONE = 2;

    /** What a write to a cell ended with. */
    enum Written {
        /** The message is in the cell, or its tombstone is. */
        OURS,
        /** Another message is in the cell, or the tombstone of another. */
        ANOTHERS,
        /** The cell was used again: it does not show what was there. */
        USED_AGAIN
    }

    private final String queue;
    private final Layout layout;
    private final Registers registers;

    Cells(String queue, Layout layout, Registers registers) {
        this.queue = queue;
        this.layout = layout;
        this.registers = registers;
    }

    private VersionedRegister cell(long index) {
        return registers.named("queue/" + queue + "/cells/" + layout.cellOf(index));
    }

    /** The version that the cell has while it holds index {@code i}. */
    private long fullVersion(long index) {
        return layout.expectedVersion(index) + 1;
    }

    Cell get(long index) throws InterruptedException {
        StoredValue stored = cell(index).read();
        if (stored.version() < fullVersion(index)) {
            return new Cell.Absent();
        }
        if (stored.version() > fullVersion(index)) {
            return new Cell.Gone();
        }
        return new Cell.Full(message(index, stored));
    }

    /** Sends until the cell is known to be full. */
    Written write(long index, Message message) throws InterruptedException {
        CompareAndSetOutcome outcome = cell(index)
                .compareAndSet(layout.expectedVersion(index), bytesOf(MESSAGE, message.id(), message.payloads()));
        if (outcome instanceof Applied) {
            return Written.OURS;
        }
        StoredValue present = outcome.present();
        if (present.version() > fullVersion(index) && !layout.cleansCells()) {
            return Written.USED_AGAIN;
        }
        return idIn(index, present).equals(message.id()) ? Written.OURS : Written.ANOTHERS;
    }

    /** Overwrites a cell that all consumers have taken. Returns false if a read does not show its message yet. */
    boolean bury(long index) throws InterruptedException {
        StoredValue stored = cell(index).read();
        if (stored.version() < fullVersion(index)) {
            return false;
        }
        if (stored.version() == fullVersion(index)) {
            cell(index)
                    .compareAndSet(
                            stored.version(),
                            bytesOf(TOMBSTONE, message(index, stored).id(), List.of()));
        }
        return true;
    }

    private Message message(long index, StoredValue stored) {
        ByteDecoder fields = fields(index, stored);
        if (fields.tag() != MESSAGE) {
            throw malformed(index);
        }
        Message message = new Message(id(fields), fields.all(ByteDecoder::bytes));
        fields.end();
        return message;
    }

    private MessageId idIn(long index, StoredValue stored) {
        ByteDecoder fields = fields(index, stored);
        int tag = fields.tag();
        if (tag != MESSAGE && tag != TOMBSTONE) {
            throw malformed(index);
        }
        return id(fields);
    }

    private ByteDecoder fields(long index, StoredValue stored) {
        return new ByteDecoder("index " + index + " of queue " + queue, stored.value());
    }

    private MalformedBytesException malformed(long index) {
        return new MalformedBytesException("Index " + index + " of queue " + queue
                + " has a format that this version of the program does not know: upgrade it, and check that all programs use the"
                + " same layout");
    }

    private static MessageId id(ByteDecoder fields) {
        return new MessageId(fields.text(), fields.number(), fields.tag() == 1);
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
}

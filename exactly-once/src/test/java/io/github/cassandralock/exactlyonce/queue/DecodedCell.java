package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.List;
import java.util.Optional;

/** Cells and low-water records, as the checker reads them. */
public final class DecodedCell {

    private DecodedCell() {}

    /** The message in a cell; empty if it is a tombstone. */
    public static Optional<Message> message(StoredValue stored) {
        ByteDecoder fields = new ByteDecoder("a cell", stored.getValue());
        int tag = fields.readTag();
        MessageId id = new MessageId(fields.readText(), fields.readNumber(), fields.readTag() == 1);
        List<byte[]> payloads = fields.readAll(ByteDecoder::readBytes);
        return tag == 1 ? Optional.of(new Message(id, payloads)) : Optional.empty();
    }

    public static LowWater lowWater(StoredValue stored) {
        return LowWater.ofBytes("checked", stored.getValue());
    }
}

package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which parked messages of a handler were sent again or discarded, one register. Immutable.
 *
 * @param done the indexes of those messages, for each parking queue
 * @param nextSequence of the next message that is sent again; also its index
 * @param pending the message that is being sent again
 */
record SentAgain(SortedMap<String, Indexes> done, long nextSequence, Optional<Pending> pending) {

    private static final int FORMAT = 1;

    /** One bit for each message, so the register has at most half a megabyte. */
    private static final int MOST_INDEXES = 4_000_000;

    SentAgain {
        done = Collections.unmodifiableSortedMap(new TreeMap<>(done));
    }

    /**
     * A message that is being sent again. The register has all of it, so that any process can finish the request.
     *
     * @param queue the parking queue
     * @param index in that queue
     * @param payloads to push, with the sequence before {@code nextSequence}
     */
    record Pending(String queue, long index, List<byte[]> payloads) {}

    /**
     * A set of indexes.
     *
     * @param below all indexes below this index are in the set
     * @param bits of the indexes from there on; not changed after construction
     */
    record Indexes(long below, BitSet bits) {

        static final Indexes NONE = new Indexes(0, new BitSet());

        boolean contains(long index) {
            return index < below || (index - below < MOST_INDEXES && bits.get((int) (index - below)));
        }

        Indexes with(long index) {
            if (contains(index)) {
                return this;
            }
            if (index - below >= MOST_INDEXES) {
                throw new IllegalStateException("The parked message at index " + index + " is too far from index "
                        + below
                        + ". The message there is the oldest that was neither sent again nor discarded. Send it again"
                        + " first, or discard it");
            }
            BitSet next = (BitSet) bits.clone();
            next.set((int) (index - below));
            int full = next.nextClearBit(0);
            return new Indexes(below + full, next.get(full, Math.max(full, next.length())));
        }
    }

    static SentAgain none() {
        return new SentAgain(Collections.emptySortedMap(), 0, Optional.empty());
    }

    Indexes done(String queue) {
        return done.getOrDefault(queue, Indexes.NONE);
    }

    boolean isPending(String queue, long index) {
        return pending.filter(present -> present.queue().equals(queue) && present.index() == index)
                .isPresent();
    }

    SentAgain beginning(Pending next) {
        return new SentAgain(doneWith(next.queue(), next.index()), nextSequence + 1, Optional.of(next));
    }

    SentAgain withoutPending() {
        return new SentAgain(done, nextSequence, Optional.empty());
    }

    SentAgain discarding(String queue, long index) {
        return new SentAgain(doneWith(queue, index), nextSequence, pending);
    }

    private SortedMap<String, Indexes> doneWith(String queue, long index) {
        SortedMap<String, Indexes> next = new TreeMap<>(done);
        next.put(queue, done(queue).with(index));
        return next;
    }

    byte[] toBytes() {
        return new ByteEncoder()
                .tag(FORMAT)
                .map(
                        done,
                        (fields, indexes) -> fields.number(indexes.below())
                                .bytes(indexes.bits().toByteArray()))
                .number(nextSequence)
                .all(
                        pending.stream().toList(),
                        (fields, present) -> fields.text(present.queue())
                                .number(present.index())
                                .all(present.payloads(), ByteEncoder::bytes))
                .toBytes();
    }

    /** What is in the register; {@link #none} if nobody has written it. */
    static SentAgain of(String handler, StoredValue stored) {
        return stored.getVersion() == 0 ? none() : ofBytes(handler, stored.getValue());
    }

    private static SentAgain ofBytes(String handler, byte[] bytes) {
        ByteDecoder decoder = new ByteDecoder("the parked messages of handler " + handler, bytes);
        decoder.readFormat(FORMAT, FORMAT);
        SentAgain record = new SentAgain(
                decoder.readMap(fields -> new Indexes(fields.readNumber(), BitSet.valueOf(fields.readBytes()))),
                decoder.readNumber(),
                decoder
                        .readAll(fields -> new Pending(
                                fields.readText(), fields.readNumber(), fields.readAll(ByteDecoder::readBytes)))
                        .stream()
                        .findFirst());
        decoder.requireEnd();
        return record;
    }
}

package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue over registers (docs/exactly-once.md, section 2): cells, a hint and a low-water record, each a register. Any number of
 * processes push. Any number of registered consumers read all messages in the order of the indexes. Thread-safe. Methods do I/O and
 * block for as long as the store does not answer; an interrupt ends them. All throw {@link
 * io.github.cassandralock.exactlyonce.register.RegisterRefusedException} if the store refuses permanently. Pushes throw {@link
 * IllegalArgumentException} if the message is larger than a register holds.
 */
public final class MessageQueue {

    /** How many producers with a name a queue may remember; {@link LowWater#MOST_CONSUMERS} gives the reason. */
    static final int MOST_PRODUCERS = 1_000;

    private static final int DEFAULT_PRODUCERS = 256;

    private final String name;
    private final Cells cells;
    private final Hint hint;
    private final LowWaterRegister lowWater;
    private final RingRoom room;
    private final int mostProducers;

    /** All cells below it are full. This is final, so that this process does not read them again. */
    private final AtomicLong knownFull = new AtomicLong();

    /**
     * A queue that remembers 256 producers. Does no I/O.
     *
     * @param name of the queue, unique in the store, never used again; letters, digits, dots, underscores, colons, hyphens
     * @param layout the same in all programs that use the queue
     * @param registers where the queue is
     * @throws IllegalArgumentException if the name is not allowed
     */
    public MessageQueue(String name, Layout layout, Registers registers) {
        this(name, layout, registers, DEFAULT_PRODUCERS);
    }

    /**
     * A queue that remembers a given number of producers. Does no I/O.
     *
     * @param name of the queue, unique in the store, never used again; letters, digits, dots, underscores, colons, hyphens
     * @param layout the same in all programs that use the queue
     * @param registers where the queue is
     * @param mostProducers how many named producers are remembered; one is forgotten when so many others have pushed since
     * @throws IllegalArgumentException if the name is not allowed, or the number is less than 1 or more than 1,000
     */
    public MessageQueue(String name, Layout layout, Registers registers, int mostProducers) {
        if (mostProducers < 1 || mostProducers > MOST_PRODUCERS) {
            throw new IllegalArgumentException(
                    "A queue remembers 1 to " + MOST_PRODUCERS + " producers, not " + mostProducers);
        }
        this.mostProducers = mostProducers;
        this.name = Names.checked("queue", name);
        cells = new Cells(name, layout, registers);
        hint = new Hint(registers.named("queue/" + name + "/hint"));
        lowWater = new LowWaterRegister(cells, mostProducers);
        room = new RingRoom(cells, lowWater);
    }

    public String getName() {
        return name;
    }

    /** How many producers with a name the queue and its consumers remember. */
    public int getMaxProducers() {
        return mostProducers;
    }

    public Layout getLayout() {
        return cells.layout();
    }

    /**
     * Reads a cell.
     *
     * @param index from 0
     * @return a message, which is final; absent, which is a hint; or gone
     * @throws IllegalArgumentException if the index is negative
     * @throws InterruptedException if the thread was interrupted
     */
    public Cell read(long index) throws InterruptedException {
        return cells.get(checked(index));
    }

    private static long checked(long index) {
        if (index < 0) {
            throw new IllegalArgumentException("Indexes count from 0; this index is " + index);
        }
        return index;
    }

    /**
     * Finds an index at which nothing was when it was read, with all cells below it full. Needs a logarithmic number of reads.
     *
     * @return an index to push at
     * @throws InterruptedException if the thread was interrupted
     */
    public long readNextIndex() throws InterruptedException {
        room.requireLayout();
        long from = Math.max(Math.max(hint.read(), room.knownLowWater()), knownFull.get());
        long index = cells.firstAbsent(from);
        fullBelow(index);
        return index;
    }

    /**
     * Reads a cell as {@link #read} does, but absence is certain: a compare-and-set confirms it.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    public Cell readConfirmed(long index) throws InterruptedException {
        room.requireLayout();
        return cells.getConfirmed(checked(index));
    }

    /**
     * Puts a message at an index, repeats that until the cell is certainly full, and then raises the hint. For a producer that has
     * fixed the index in a state of its own, as a handler does. Several copies of it may push the message at this index repeatedly,
     * and it is there once. At another index it would be another message.
     *
     * @param index from {@link #readNextIndex}, or {@link PushAnswer.Taken#next}. A caller that tries each index in turn falls
     *     behind others that push, until it is overtaken
     * @param message to push
     * @return whether this message or another is there, or the ring is full
     * @throws IllegalArgumentException if the index is negative
     * @throws MissingPredecessorException if there is no message at the index before; nothing was written
     * @throws OvertakenException if the cell was used again meanwhile, and the id is anonymous or its producer was forgotten
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public PushAnswer pushAt(long index, Message message) throws InterruptedException {
        return pushAt(checked(index), message, false);
    }

    private PushAnswer pushAt(long index, Message message, boolean onlyPush) throws InterruptedException {
        PushAnswer answer = fill(index, message, onlyPush);
        if (answer instanceof PushAnswer.Pushed) {
            hint.raiseTo(index + 1);
        }
        return answer;
    }

    /**
     * Pushes a message of a queue that has <b>one</b> producer, ever: the message with sequence {@code n} is at index {@code n}.
     * Copies need not agree on an index, and no hint is needed: one compare-and-set suffices. Several copies may push a message
     * again and again. For a producer whose state fixes the numbers, like a handler; others use {@link #openSoleProducer}.
     *
     * @param message to push
     * @return as {@link #pushAt}; {@code Taken} means that another producer uses the queue
     * @throws MissingPredecessorException if the message before is not there; nothing was written
     * @throws OvertakenException as {@link #pushAt}
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public PushAnswer pushAsSoleProducer(Message message) throws InterruptedException {
        return fill(message.id().sequence(), message, false);
    }

    /** @param onlyPush whether nobody else pushes this message, and it was not pushed at this index before */
    private PushAnswer fill(long index, Message message, boolean onlyPush) throws InterruptedException {
        requirePredecessor(index, message.id());
        Optional<PushAnswer.RingFull> full = room.whyFull(index);
        if (full.isPresent()) {
            return full.get();
        }
        Cells.Written written = cells.write(index, message, onlyPush);
        fullBelow(written.fullBelow());
        boolean ours = switch (written.found()) {
            case OURS -> true;
            case ANOTHERS -> false;
            case USED_AGAIN -> wasThere(index, message.id());
        };
        return ours ? new PushAnswer.Pushed() : new PushAnswer.Taken(knownFull.get());
    }

    private void fullBelow(long index) {
        knownFull.accumulateAndGet(index, Math::max);
    }

    /** No producer fills a cell behind an empty one, because no reader would pass the hole. */
    private void requirePredecessor(long index, MessageId id) throws InterruptedException {
        room.requireLayout();
        if (index <= Math.max(knownFull.get(), room.knownLowWater())) {
            return;
        }
        if (!cells.isFilled(index - 1)) {
            throw new MissingPredecessorException("Message " + id + " was not pushed to queue " + name + " at index "
                    + index + ". There is no message at index " + (index - 1)
                    + ", and no consumer would pass the hole. Numbers begin at 0 and have no gaps; a message for which"
                    + " the ring had no room is pushed again before the next one. MessageQueue.openSoleProducer finds"
                    + " the number by itself");
        }
        fullBelow(index);
    }

    private boolean wasThere(long index, MessageId id) throws InterruptedException {
        if (id.anonymous()) {
            throw OvertakenException.ofAnonymous(id, name, index);
        }
        return lowWater.wasThere(index, id)
                .orElseThrow(() -> OvertakenException.ofForgotten(id, name, index, mostProducers));
    }

    /**
     * Pushes a message without a number at the next index. Waits while the ring is full. Exactly once as long as this call lives.
     * After a crash of the process, it is unknown whether the message is there. A producer that must survive a crash is a handler
     * or a {@link #openSoleProducer}.
     *
     * @param payloads of the message
     * @return its index
     * @throws OvertakenException if the outcome of the write is unknown, and its cell was used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(List<byte[]> payloads) throws InterruptedException {
        return push(new Message(anonymousId(), payloads));
    }

    /** The ids of writes are unique even in processes that were restored from one checkpoint. */
    private MessageId anonymousId() {
        WriteId unique = cells.registers().writeIds().next();
        return new MessageId(unique.process().toString(), unique.counter(), true);
    }

    /**
     * Pushes a message with one payload, as {@link #push(List)} does.
     *
     * @param payload of the message
     * @return its index
     * @throws OvertakenException if the outcome of the write is unknown, and its cell was used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(byte[] payload) throws InterruptedException {
        return push(List.of(payload));
    }

    private GrowingPauses.Series pauses() {
        return cells.registers().pauses().begin(cells.registers().pauser());
    }

    /** No other call may push a message with this id. */
    long push(Message message) throws InterruptedException {
        GrowingPauses.Series pauses = pauses();
        long index = readNextIndex();
        PushAnswer answer = pushAt(index, message, true);
        while (!(answer instanceof PushAnswer.Pushed)) {
            if (answer instanceof PushAnswer.RingFull full) {
                room.waitFor(full, pauses);
            } else if (answer instanceof PushAnswer.Taken taken) {
                index = taken.next();
            }
            answer = pushAt(index, message, true);
        }
        return index;
    }

    /**
     * Opens the only producer of this queue, ever, for a process that reads messages in a stable order. Searches the last message,
     * so that it continues where the process before it ended.
     *
     * @param producer its name, the same after each start
     * @return the producer, which continues behind the last message
     * @throws IllegalArgumentException if the name is not allowed
     * @throws TwoProducersException if the last message belongs to another producer
     * @throws IllegalStateException if an older version of this library has cleaned the last message
     * @throws InterruptedException if the thread was interrupted
     */
    public SoleProducer openSoleProducer(String producer) throws InterruptedException {
        Names.checked("producer", producer);
        GrowingPauses.Series pauses = pauses();
        while (true) {
            long next = readNextIndex();
            if (next == 0) {
                return new SoleProducer(this, producer, 0, Optional.empty());
            }
            Cell cell = read(next - 1);
            if (cell instanceof Cell.Full full) {
                return new SoleProducer(this, producer, next, Optional.of(full.message()));
            }
            if (cells.layout().isCleaningCells() && cell instanceof Cell.Gone && !cells.isFilled(next)) {
                throw new IllegalStateException("The last message of queue " + name + ", at index " + (next - 1)
                        + ", was cleaned by an older version of this library. The queue no longer shows where "
                        + producer
                        + " continues. Use a queue with a new name");
            }
            pauses.pause(); // the read was old, or another producer has pushed meanwhile
        }
    }

    /**
     * Pushes at its number a message that no other call pushes. Waits while the ring is full.
     *
     * @return whether this call wrote it; if not, it is unknown whether the message that is there is this message
     */
    boolean append(Message message) throws InterruptedException {
        long index = message.id().sequence();
        GrowingPauses.Series pauses = pauses();
        Optional<PushAnswer.RingFull> full = room.whyFull(index);
        while (full.isPresent()) {
            room.waitFor(full.get(), pauses);
            full = room.whyFull(index);
        }
        boolean written = cells.append(index, message);
        fullBelow(index + 1);
        return written;
    }

    /**
     * Registers a consumer, from the first message that is not cleaned. An existing consumer keeps its mark.
     *
     * @param consumer its name
     * @return where a consumer begins that has taken nothing
     * @throws IllegalArgumentException if the name is not allowed
     * @throws ConsumerRemovedException if the consumer was removed
     * @throws IllegalStateException if the queue has had 1,000 consumers, including removed ones
     * @throws InterruptedException if the thread was interrupted: the consumer may be registered
     */
    public ConsumerStart addConsumer(String consumer) throws InterruptedException {
        return lowWater.addConsumer(Names.checked("consumer", consumer));
    }

    /**
     * The birth of this queue, drawn when the queue is first used. A queue that is made again with its name has another birth. A
     * program that stores an index of the queue elsewhere stores the birth beside it.
     *
     * @return the birth, which is final
     * @throws InterruptedException if the thread was interrupted
     */
    public String readBirth() throws InterruptedException {
        return readLowWater().birth();
    }

    /**
     * The birth of the state to which a producer of this queue belongs.
     *
     * @param producer its name
     * @return its birth; empty if none is stored, as far as this read shows
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<String> readBirthOfProducer(String producer) throws InterruptedException {
        return Optional.ofNullable(readLowWater().producers().get(producer));
    }

    /**
     * Stores in the queue that a producer belongs to the state with this birth, and to no other.
     *
     * @param producer its name
     * @param birth of its state
     * @throws IllegalArgumentException if the name is not allowed
     * @throws MismatchedStoresException if the name belongs to another state
     * @throws InterruptedException if the thread was interrupted: the birth may be stored
     */
    public void attachProducer(String producer, String birth) throws InterruptedException {
        lowWater.attachProducer(Names.checked("producer", producer), birth);
    }

    /**
     * Stores in the queue that a consumer belongs to the position or state with this birth, and to no other.
     *
     * @param consumer its name
     * @param birth of its position or state
     * @return the mark: a committed position was there, so a lower position is old
     * @throws UnknownConsumerException if the consumer is not registered; {@link ConsumerRemovedException} if it was removed
     * @throws MismatchedStoresException if the name belongs to another position
     * @throws InterruptedException if the thread was interrupted: the birth may be stored
     */
    public long attachConsumer(String consumer, String birth) throws InterruptedException {
        return lowWater.attachConsumer(consumer, birth).marks().getOrDefault(consumer, 0L);
    }

    /**
     * Checks that the queue reaches as far as a consumer's position. Waits up to some seconds for a read that shows it.
     *
     * @param consumer its name
     * @param index of a committed position of it
     * @throws MismatchedStoresException if the message before that index is not there
     * @throws InterruptedException if the thread was interrupted
     */
    public void requireReached(String consumer, long index) throws InterruptedException {
        cells.requireReached(consumer, index);
    }

    /**
     * Removes a consumer permanently, such as a handler that was abandoned. Messages no longer wait for it, and a ring that is full
     * because of it has room again. It never comes back. Decisions of its copies stay valid. Copies that still run end with {@link
     * ConsumerRemovedException} at their next report. A repetition changes nothing. All programs that use the queue need a version
     * with removed consumers.
     *
     * @param consumer the name of the handler or sink
     * @throws UnknownConsumerException if no consumer of that name is registered
     * @throws InterruptedException if the thread was interrupted: the consumer may have been removed, or may be removed later
     */
    public void removeConsumer(String consumer) throws InterruptedException {
        lowWater.removeConsumer(consumer);
    }

    /**
     * Reports to the queue how far a consumer is, so that cells can be used again.
     *
     * @param consumer its name
     * @param index the input index of a committed state, never of a state that the consumer only tries to write
     * @return whether nothing is left to be done; if not, call again later
     * @throws IllegalArgumentException if the index is negative
     * @throws UnknownConsumerException if the consumer is not registered; {@link ConsumerRemovedException} if it was removed
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean raiseMark(String consumer, long index) throws InterruptedException {
        return lowWater.raiseMark(consumer, checked(index));
    }

    /**
     * Reads the low-water record, perhaps an old one.
     *
     * @return the record
     * @throws IllegalStateException if the queue has another layout than this program is configured with
     * @throws InterruptedException if the thread was interrupted
     */
    public LowWater readLowWater() throws InterruptedException {
        return room.readLowWater();
    }

    /**
     * Estimates for operators how many messages there are from an index on, by a logarithmic number of reads. Includes messages
     * behind a hole, and the hole, which an older version of this library may have left.
     *
     * @param index below which all cells are full, such as the input index of a consumer
     * @return how many follow
     * @throws IllegalArgumentException if the index is negative
     * @throws InterruptedException if the thread was interrupted
     */
    public long readLagBehind(long index) throws InterruptedException {
        return cells.lagBehind(checked(index));
    }

    @Override
    public String toString() {
        return "queue " + name;
    }
}

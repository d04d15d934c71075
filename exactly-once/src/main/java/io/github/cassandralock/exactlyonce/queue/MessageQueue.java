package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue over registers (docs/exactly-once.md, section 2): cells, a hint and a low-water record, each a register. Any number of
 * processes push, and any number of registered consumers read all messages in the order of the indexes. Thread-safe. Methods block
 * and do I/O for as long as the store does not answer; an interrupt ends them. All throw
 * {@link io.github.cassandralock.exactlyonce.register.RegisterRefusedException} if the store refuses for good.
 */
public final class MessageQueue {

    /** How many producers with a name a queue may remember; {@link LowWater#MOST_CONSUMERS} says why. */
    static final int MOST_PRODUCERS = 1_000;

    private static final int DEFAULT_PRODUCERS = 256;

    private final String name;
    private final Layout layout;
    private final Registers registers;
    private final Cells cells;
    private final QueueEnd end;
    private final Hint hint;
    private final LowWaterRegister lowWater;
    private final RingRoom room;
    private final int mostProducers;

    /** The producer of messages without a number that this object pushes; no other one has this name. */
    private final String anonymous = UUID.randomUUID().toString();

    private final AtomicLong pushed = new AtomicLong();

    /** All cells below it are full. Final knowledge, so that this process does not read them again. */
    private final AtomicLong knownFull = new AtomicLong();

    /**
     * A queue that remembers 256 producers. Needs no I/O.
     *
     * @param name of the queue, unique in the store, never used again; letters, digits, dots, underscores, colons, hyphens
     * @param layout the same in all programs that use the queue
     * @param registers where the queue lives
     * @throws IllegalArgumentException if the name is bad
     */
    public MessageQueue(String name, Layout layout, Registers registers) {
        this(name, layout, registers, DEFAULT_PRODUCERS);
    }

    /**
     * A queue. Needs no I/O.
     *
     * @param name of the queue, unique in the store, never used again; letters, digits, dots, underscores, colons, hyphens
     * @param layout the same in all programs that use the queue
     * @param registers where the queue lives
     * @param mostProducers how many producers with a name the queue and its consumers remember. One is forgotten when so many others
     *     have pushed after its last message
     * @throws IllegalArgumentException if the name is bad, or the number is less than 1 or more than 1,000
     */
    public MessageQueue(String name, Layout layout, Registers registers, int mostProducers) {
        if (mostProducers < 1 || mostProducers > MOST_PRODUCERS) {
            throw new IllegalArgumentException(
                    "A queue remembers 1 to " + MOST_PRODUCERS + " producers, not " + mostProducers);
        }
        this.mostProducers = mostProducers;
        this.name = Names.checked("queue", name);
        this.layout = layout;
        this.registers = registers;
        cells = new Cells(name, layout, registers);
        end = new QueueEnd(name, layout, cells);
        hint = new Hint(name, registers);
        lowWater = new LowWaterRegister(name, layout, registers, cells, mostProducers);
        room = new RingRoom(name, layout, lowWater);
    }

    /** The name of the queue. */
    public String name() {
        return name;
    }

    /** How many producers with a name the queue and its consumers remember. */
    public int mostProducers() {
        return mostProducers;
    }

    /** The layout of the queue. */
    public Layout layout() {
        return layout;
    }

    /**
     * What is at an index.
     *
     * @param index from 0
     * @return a message, which is final; absent, which is a hint; or gone
     * @throws IllegalArgumentException if the index is negative
     * @throws InterruptedException if the thread was interrupted
     */
    public Cell get(long index) throws InterruptedException {
        return cells.get(checked(index));
    }

    private static long checked(long index) {
        if (index < 0) {
            throw new IllegalArgumentException("Indexes count from 0; this one is " + index);
        }
        return index;
    }

    /**
     * An index at which nothing was when it was read, with all cells below it full. Needs a logarithmic number of reads.
     *
     * @return an index to push at
     * @throws InterruptedException if the thread was interrupted
     */
    public long nextIndex() throws InterruptedException {
        room.requireLayout();
        long from = Math.max(Math.max(hint.read(), room.knownLowWater()), knownFull.get());
        long index = end.firstAbsent(from);
        fullBelow(index);
        return index;
    }

    /**
     * Returns whether there is, or was, a message at an index. The answer is certain: an absence that a read shows is confirmed.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean isFilled(long index) throws InterruptedException {
        room.requireLayout();
        return cells.isFilled(index);
    }

    /**
     * Puts a message at an index and sends until the cell is known to be full. Then raises the hint. For a producer that has decided
     * the index in a state of its own, as a handler does: several copies of it may push the message at this index, again and again,
     * and it is there once. At another index it would be another message.
     *
     * @param index that {@link #nextIndex} has given, or the one after an index that is taken
     * @param message to push
     * @return whether the message is there, or another; or that the ring is full
     * @throws IllegalArgumentException if the index is negative
     * @throws MissingPredecessorException if there is no message at the index before; nothing was written
     * @throws OvertakenException if the cell was used again meanwhile, and the id is anonymous or its producer was forgotten
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public PushAnswer pushAt(long index, Message message) throws InterruptedException {
        return pushAt(checked(index), message, false).answer();
    }

    /** What a push has found: all cells below {@code fullBelow} are full. */
    private record Filled(PushAnswer answer, long fullBelow) {}

    private Filled pushAt(long index, Message message, boolean onlyPush) throws InterruptedException {
        Filled filled = fill(index, message, onlyPush);
        if (filled.answer() instanceof PushAnswer.Pushed) {
            hint.raiseTo(index + 1);
        }
        return filled;
    }

    /**
     * Pushes a message of a queue that has <b>one</b> producer, ever: the message with sequence {@code n} is at index {@code n}. No
     * copy has to agree on an index, and no hint is needed; one compare-and-set does it. May be pushed again and again, by several
     * copies. For a producer whose state says which message has which number, as that of a handler does; others use
     * {@link #soleProducer}.
     *
     * @param message to push
     * @return as {@link #pushAt}; {@code Taken} means that another producer uses the queue
     * @throws MissingPredecessorException if the message before is not there; nothing was written
     * @throws OvertakenException as {@link #pushAt}
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public PushAnswer pushAsSoleProducer(Message message) throws InterruptedException {
        return fill(message.id().sequence(), message, false).answer();
    }

    /** @param onlyPush whether nobody else pushes this message, and it was not pushed at this index before */
    private Filled fill(long index, Message message, boolean onlyPush) throws InterruptedException {
        requirePredecessor(index, message.id());
        Optional<PushAnswer.RingFull> full = room.whyFull(index);
        if (full.isPresent()) {
            return new Filled(full.get(), full.get().lowWater());
        }
        Cells.Written written = cells.write(index, message, onlyPush);
        fullBelow(written.fullBelow());
        boolean ours = switch (written.found()) {
            case OURS -> true;
            case ANOTHERS -> false;
            case USED_AGAIN -> wasThere(index, message.id());
        };
        return new Filled(ours ? new PushAnswer.Pushed() : new PushAnswer.Taken(), written.fullBelow());
    }

    private void fullBelow(long index) {
        knownFull.accumulateAndGet(index, Math::max);
    }

    /** Nobody fills a cell behind one that is empty: no reader would pass the hole. Most callers have filled the cell before. */
    private void requirePredecessor(long index, MessageId id) throws InterruptedException {
        room.requireLayout();
        if (index <= Math.max(knownFull.get(), room.knownLowWater())) {
            return;
        }
        if (!cells.isFilled(index - 1)) {
            throw new MissingPredecessorException("Message " + id + " was not pushed to queue " + name + " at index "
                    + index + ": there is no message at index " + (index - 1)
                    + ", and no consumer would pass the hole. Numbers begin at 0 and have no gaps; a message for which the"
                    + " ring had no room is pushed again before the next one. MessageQueue.soleProducer finds the number"
                    + " by itself");
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
     * Pushes a message without a number at the next index. Exactly once for as long as this call lives: if the process dies, nobody
     * can say whether the message is there. A producer that must survive its own crash is a handler, or a {@link #soleProducer}.
     * Waits while the ring is full.
     *
     * @param payloads of the message
     * @return where it is
     * @throws OvertakenException if the store has not said whether it has written the message, and its cell was used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(List<byte[]> payloads) throws InterruptedException {
        return push(new Message(new MessageId(anonymous, pushed.getAndIncrement(), true), payloads));
    }

    /**
     * Pushes a message with one payload, as {@link #push(List)} does.
     *
     * @param payload of the message
     * @return where it is
     * @throws OvertakenException if the store has not said whether it has written the message, and its cell was used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(byte[] payload) throws InterruptedException {
        return push(List.of(payload));
    }

    /** No other call may push a message with the same id. */
    long push(Message message) throws InterruptedException {
        GrowingPauses.Series pauses = registers.pauses().begin(registers.pauser());
        long index = nextIndex();
        Filled filled = pushAt(index, message, true);
        while (!(filled.answer() instanceof PushAnswer.Pushed)) {
            if (filled.answer() instanceof PushAnswer.RingFull full) {
                room.waitFor(full, pauses);
            } else {
                index = Math.max(index + 1, filled.fullBelow());
            }
            filled = pushAt(index, message, true);
        }
        return index;
    }

    /**
     * The only producer of this queue, ever, for a process that reads messages somewhere in an order that stays the same. Looks for
     * the last message, so that a process goes on where the one before it has ended.
     *
     * @param producer its name, the same after each start
     * @return the producer, which goes on behind the last message
     * @throws IllegalArgumentException if the name is bad
     * @throws TwoProducersException if the last message is that of another producer
     * @throws InterruptedException if the thread was interrupted
     */
    public SoleProducer soleProducer(String producer) throws InterruptedException {
        Names.checked("producer", producer);
        GrowingPauses.Series pauses = registers.pauses().begin(registers.pauser());
        while (true) {
            long next = nextIndex();
            if (next == 0) {
                return new SoleProducer(this, producer, 0, Optional.empty());
            }
            Cell cell = get(next - 1);
            if (cell instanceof Cell.Full full) {
                return new SoleProducer(this, producer, next, Optional.of(full.message()));
            }
            if (layout.cleansCells() && cell instanceof Cell.Gone && !cells.isFilled(next)) {
                throw new IllegalStateException("The last message of queue " + name + ", at index " + (next - 1)
                        + ", was cleaned by an older version of this library, so it does not say where " + producer
                        + " goes on. Use a queue with a new name");
            }
            pauses.pause(); // the read was old, or another producer has gone on
        }
    }

    /**
     * Pushes at its number a message that no other call pushes. Waits while the ring is full.
     *
     * @return whether this call wrote it; if not, it is unknown whether the message that is there is this message
     */
    boolean append(Message message) throws InterruptedException {
        long index = message.id().sequence();
        GrowingPauses.Series pauses = registers.pauses().begin(registers.pauser());
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
     * Registers a consumer, from the first message that is not cleaned. A consumer that is registered stays as it is.
     *
     * @param consumer its name
     * @return where a consumer begins that has taken nothing
     * @throws IllegalArgumentException if the name is bad
     * @throws ConsumerRemovedException if the consumer was removed
     * @throws IllegalStateException if the queue has had 1,000 consumers, those included that were removed
     * @throws InterruptedException if the thread was interrupted: the consumer may be registered
     */
    public ConsumerStart addConsumer(String consumer) throws InterruptedException {
        return lowWater.addConsumer(Names.checked("consumer", consumer));
    }

    /**
     * The birth of this queue: it is drawn when the queue is first used, and a queue that is made afresh under its name has another.
     * Whoever keeps an index of the queue elsewhere keeps the birth beside it.
     *
     * @return the birth, which is final
     * @throws InterruptedException if the thread was interrupted
     */
    public String birth() throws InterruptedException {
        return lowWater().birth();
    }

    /**
     * The birth of the state to which a producer of this queue belongs.
     *
     * @param producer its name
     * @return its birth; empty if none was told, as far as this read shows
     * @throws InterruptedException if the thread was interrupted
     */
    public Optional<String> birthOfProducer(String producer) throws InterruptedException {
        return Optional.ofNullable(lowWater().producers().get(producer));
    }

    /**
     * Keeps in the queue that a producer belongs to the state with this birth, so that no other state ever uses its name here.
     *
     * @param producer its name
     * @param birth of its state
     * @throws MismatchedStoresException if the name belongs to another state
     * @throws InterruptedException if the thread was interrupted: the birth may be kept
     */
    public void attachProducer(String producer, String birth) throws InterruptedException {
        lowWater.attachProducer(Names.checked("producer", producer), birth);
    }

    /**
     * Keeps in the queue that a consumer belongs to the position or state with this birth, so that no other one ever goes on under its
     * name.
     *
     * @param consumer its name
     * @param birth of its position or state
     * @return the mark: a committed position was there, so a lower one is an old one
     * @throws UnknownConsumerException if the consumer is not registered
     * @throws MismatchedStoresException if the name belongs to another position
     * @throws InterruptedException if the thread was interrupted: the birth may be kept
     */
    public long attachConsumer(String consumer, String birth) throws InterruptedException {
        return lowWater.attachConsumer(consumer, birth).marks().getOrDefault(consumer, 0L);
    }

    /**
     * Checks that the queue has got as far as a consumer says that it has taken it.
     *
     * @param consumer its name
     * @param index of a committed position of it
     * @throws MismatchedStoresException if the message before that index is not there
     * @throws InterruptedException if the thread was interrupted
     */
    public void requireReached(String consumer, long index) throws InterruptedException {
        end.requireReached(consumer, index);
    }

    /**
     * Removes a consumer that is gone for good, such as a handler that was given up or takes other queues now: messages need not
     * wait for it any more, and a ring that is full because of it has room again. It never comes back. What its copies have decided
     * stays right; those that still run end with {@link ConsumerRemovedException} when they next tell how far they are. Called
     * again, it changes nothing. All programs that use the queue must be of a version that knows removed consumers.
     *
     * @param consumer its name: that of the handler or sink
     * @throws UnknownConsumerException if no consumer of that name is registered
     * @throws InterruptedException if the thread was interrupted: the consumer may have been removed, or may be removed later
     */
    public void removeConsumer(String consumer) throws InterruptedException {
        lowWater.removeConsumer(consumer);
    }

    /**
     * Tells the queue how far a consumer is, so that cells can be used again.
     *
     * @param consumer its name
     * @param index the input index of a state of it that is committed; never that of a state that it only tries to write
     * @return whether nothing is left to be done; if not, call again later
     * @throws IllegalArgumentException if the index is negative
     * @throws UnknownConsumerException if the consumer is not registered; {@link ConsumerRemovedException} if it was removed
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean raiseMark(String consumer, long index) throws InterruptedException {
        return lowWater.raiseMark(consumer, checked(index));
    }

    /**
     * The low-water record, perhaps an old one.
     *
     * @return the record
     * @throws IllegalStateException if the queue has another layout than this program is configured with
     * @throws InterruptedException if the thread was interrupted
     */
    public LowWater lowWater() throws InterruptedException {
        return room.readLowWater();
    }

    /**
     * How many messages there are from an index on: an estimate for operators, by a logarithmic number of reads. Messages behind a hole
     * count, and so does the hole: an older version of this library may have left one.
     *
     * @param index below which all cells are full, such as the input index of a consumer
     * @return how many follow
     * @throws IllegalArgumentException if the index is negative
     * @throws InterruptedException if the thread was interrupted
     */
    public long lagBehind(long index) throws InterruptedException {
        return end.lagBehind(checked(index));
    }

    @Override
    public String toString() {
        return "queue " + name;
    }
}

package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue over registers (docs/exactly-once.md, section 2): cells, a hint and a low-water record, each a register. Any number of
 * processes push, and any number of registered consumers read all messages in the order of the indexes. Thread-safe. Methods block
 * and do I/O for as long as the store does not answer; an interrupt ends them. All throw
 * {@link io.github.cassandralock.exactlyonce.register.RegisterRefusedException} if the store refuses for good.
 */
public final class MessageQueue {

    private static final Logger log = LoggerFactory.getLogger(MessageQueue.class);

    /** This process has not read the low-water record yet, so it does not know whether its layout is the queue's. */
    private static final long NEVER_READ = -1;

    private final String name;
    private final Layout layout;
    private final Registers registers;
    private final Cells cells;
    private final Hint hint;
    private final LowWaterRegister lowWater;

    /** All cells below it are full. Final knowledge, so that this process does not read them again. */
    private final AtomicLong knownFull = new AtomicLong();

    /** The highest L that this process has seen. An old L is lower, hence safe. */
    private final AtomicLong knownLowWater = new AtomicLong(NEVER_READ);

    /**
     * A queue. Needs no I/O.
     *
     * @param name of the queue, unique in the store, never used again; letters, digits, dots, underscores, colons, hyphens
     * @param layout the same in all programs that use the queue
     * @param registers where the queue lives
     * @throws IllegalArgumentException if the name is bad
     */
    public MessageQueue(String name, Layout layout, Registers registers) {
        this.name = Names.checked("queue", name);
        this.layout = layout;
        this.registers = registers;
        cells = new Cells(name, layout, registers);
        hint = new Hint(name, registers);
        lowWater = new LowWaterRegister(name, layout, registers, cells);
    }

    /** The name of the queue. */
    public String name() {
        return name;
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
        if (knownLowWater.get() == NEVER_READ) {
            lowWater();
        }
        long from = Math.max(Math.max(hint.read(), knownLowWater.get()), knownFull.get());
        long index = firstAbsent(from);
        knownFull.accumulateAndGet(index, Math::max);
        return index;
    }

    /** By doubling steps, and then halving them: "there" is final, and nobody leaves a hole below a cell that is there. */
    private long firstAbsent(long from) throws InterruptedException {
        long step = 1;
        while (!(cells.get(from + step - 1) instanceof Cell.Absent)) {
            step *= 2;
        }
        long full = step / 2;
        long absent = step;
        while (absent - full > 1) {
            long middle = full + (absent - full) / 2;
            if (cells.get(from + middle - 1) instanceof Cell.Absent) {
                absent = middle;
            } else {
                full = middle;
            }
        }
        return from + full;
    }

    /**
     * Puts a message at an index and sends until the cell is known to be full. Then raises the hint. The message may be pushed at
     * this index by several copies of its producer, and again and again: it is there once.
     *
     * @param index that {@link #nextIndex} has given, or the one after an index that is taken
     * @param message to push
     * @return whether the message is there, or another; or that the ring is full
     * @throws IllegalArgumentException if the index is negative
     * @throws OvertakenException if the id is anonymous and the cell was used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public PushAnswer pushAt(long index, Message message) throws InterruptedException {
        return pushAt(checked(index), message, false).answer();
    }

    private Filled pushAt(long index, Message message, boolean onlyPush) throws InterruptedException {
        Filled filled = fill(index, message, onlyPush);
        if (filled.answer() instanceof PushAnswer.Pushed) {
            hint.raiseTo(index + 1);
        }
        return filled;
    }

    /** What a push has found: all cells below {@code fullBelow} are full. */
    private record Filled(PushAnswer answer, long fullBelow) {}

    /**
     * Puts a message of the queue's only producer at the index that is its sequence. No hint is needed, so that it costs one
     * compare-and-set.
     *
     * @param message whose sequence is the index
     * @return as {@link #pushAt}; {@code Taken} means that another producer uses the queue
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public PushAnswer pushAsSoleProducer(Message message) throws InterruptedException {
        return fill(message.id().sequence(), message, false).answer();
    }

    /** @param onlyPush whether nobody else pushes this message, and it was not pushed at this index before */
    private Filled fill(long index, Message message, boolean onlyPush) throws InterruptedException {
        long known = knownLowWater.get();
        if (known == NEVER_READ || !layout.mayWrite(index, known)) {
            LowWater record = lowWater();
            if (!layout.mayWrite(index, record.index())) {
                record = seen(lowWater.raise());
            }
            if (!layout.mayWrite(index, record.index())) {
                return new Filled(new PushAnswer.RingFull(record.slowest(), record.index()), record.index());
            }
        }
        Cells.Written written = cells.write(index, message, onlyPush);
        boolean ours = switch (written.found()) {
            case OURS -> true;
            case ANOTHERS -> false;
            case USED_AGAIN -> wasThere(index, message.id());
        };
        return new Filled(ours ? new PushAnswer.Pushed() : new PushAnswer.Taken(), written.fullBelow());
    }

    private boolean wasThere(long index, MessageId id) throws InterruptedException {
        if (id.anonymous()) {
            throw new OvertakenException("It is not known whether " + id + " was pushed to queue " + name
                    + ": its cell, at index " + index
                    + ", was used again while the answer to the push was waited for, and the"
                    + " queue keeps nothing of anonymous producers. Look at the effect of the message before you push it"
                    + " again; a handler as the producer never gets into this");
        }
        return lowWater.wasThere(index, id);
    }

    /**
     * Pushes a message at the next index. Exactly once for as long as this call lives; a producer that must survive its own crash
     * is a handler. Waits while the ring is full.
     *
     * @param message to push; no other call may push one with the same id
     * @return where it is
     * @throws OvertakenException if the id is anonymous, the store has not said whether it has written the message, and its cell was
     *     used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(Message message) throws InterruptedException {
        GrowingPauses.Series pauses = registers.pauses().begin(registers.pauser());
        long index = nextIndex();
        Filled filled = pushAt(index, message, true);
        while (!(filled.answer() instanceof PushAnswer.Pushed)) {
            if (filled.answer() instanceof PushAnswer.Taken) {
                index = Math.max(index + 1, filled.fullBelow());
            } else {
                if (filled.answer() instanceof PushAnswer.RingFull full && isToBeTold(pauses.count())) {
                    log.warn("A push waits, since {}", full.explained(name));
                }
                pauses.pause();
            }
            filled = pushAt(index, message, true);
        }
        return index;
    }

    /** At the first pause, and then at the 8th, 16th, 32nd … */
    private static boolean isToBeTold(int pauses) {
        return pauses == 0 || (pauses >= 8 && Integer.bitCount(pauses) == 1);
    }

    /** A pusher without a stable name, for this process only. */
    public AnonymousPusher anonymousPusher() {
        return new AnonymousPusher(this, UUID.randomUUID().toString());
    }

    /**
     * Registers a consumer, from the first message that is not cleaned. A consumer that is registered stays as it is.
     *
     * @param consumer its name
     * @return where a consumer begins that has taken nothing
     * @throws IllegalArgumentException if the name is bad
     * @throws ConsumerRemovedException if the consumer was removed
     * @throws InterruptedException if the thread was interrupted: the consumer may be registered
     */
    public ConsumerStart addConsumer(String consumer) throws InterruptedException {
        return lowWater.addConsumer(Names.checked("consumer", consumer));
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
        return seen(lowWater.read());
    }

    private LowWater seen(LowWater record) {
        knownLowWater.accumulateAndGet(record.index(), Math::max);
        return record;
    }

    /**
     * How many messages there are from an index on: an estimate for operators, by a logarithmic number of reads.
     *
     * @param index below which all cells are full, such as the input index of a consumer
     * @return how many follow
     * @throws IllegalArgumentException if the index is negative
     * @throws InterruptedException if the thread was interrupted
     */
    public long lagBehind(long index) throws InterruptedException {
        return firstAbsent(checked(index)) - index;
    }

    @Override
    public String toString() {
        return "queue " + name;
    }
}

package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.handler.ParkedMessage.Status;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.LowWater;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The messages that a handler has parked. They can be listed, and sent to the handler again, each once. The handler takes these
 * from a queue of its own. Its function sees them as messages of their first queue. Needs no copy in this process. Thread-safe.
 * Methods do I/O and block for as long as the store does not answer; an interrupt ends them.
 */
public final class ParkedMessages {

    /** How many messages a page has at most. */
    public static final int MAX_PAGE = 1_000;

    /** How many cells are read for one page, and for one change of the mark. */
    private static final int MOST_CELLS = 10_000;

    private final HandlerDefinition<?> definition;
    private final MessageQueue parking;
    private final MessageQueue again;

    private ParkedMessages(HandlerDefinition<?> definition, MessageQueue parking, MessageQueue again) {
        this.definition = definition;
        this.parking = parking;
        this.again = again;
    }

    /**
     * The parked messages of a handler. Does no I/O.
     *
     * @param definition with {@link HandlerDefinition.Builder#parkAfter}
     * @return its messages in its parking queue
     * @throws IllegalArgumentException if the handler does not park messages
     */
    public static ParkedMessages of(HandlerDefinition<?> definition) {
        return of(definition, definition.output(parkingOf(definition).queue()));
    }

    /**
     * The messages of a handler in a former parking queue. Does no I/O.
     *
     * @param definition with {@link HandlerDefinition.Builder#parkAfter}
     * @param formerQueue in which they are
     * @return its messages in that queue
     * @throws IllegalArgumentException if the handler does not park messages
     */
    public static ParkedMessages of(HandlerDefinition<?> definition, MessageQueue formerQueue) {
        parkingOf(definition);
        return new ParkedMessages(definition, formerQueue, definition.again.orElseThrow());
    }

    private static HandlerDefinition.Parking parkingOf(HandlerDefinition<?> definition) {
        return definition.parking.orElseThrow(() -> new IllegalArgumentException(
                "Handler " + definition.name + " does not park messages: configure a queue with parkAfter"));
    }

    /** The name of the queue with the messages. */
    public String getQueue() {
        return parking.getName();
    }

    /**
     * A part of the list.
     *
     * @param messages in the order of their indexes
     * @param next where the next page begins
     * @param complete whether there is nothing from {@code next} on
     */
    public record Page(List<ParkedMessage> messages, long next, boolean complete) {

        public Page {
            messages = List.copyOf(messages);
        }
    }

    /**
     * Lists messages of this handler, from an index of the parking queue on. Messages that another consumer of the queue has taken
     * may be missing.
     *
     * @param from the index; 0 for the first page
     * @param most how many; 1 to {@link #MAX_PAGE}
     * @return those that are there
     * @throws IllegalArgumentException if an argument is out of bounds
     * @throws InterruptedException if the thread was interrupted
     */
    public Page list(long from, int most) throws InterruptedException {
        if (most < 1 || most > MAX_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + MAX_PAGE + " messages, not " + most);
        }
        SentAgain record = SentAgain.of(definition.name, definition.sentAgain.read());
        List<ParkedMessage> found = new ArrayList<>();
        long index = from;
        for (int cells = 0; cells < MOST_CELLS && found.size() < most; cells++) {
            Cell cell = parking.read(index);
            if (cell instanceof Cell.Absent) {
                return new Page(found, index, true);
            }
            if (cell instanceof Cell.Full full) {
                own(index, full.message(), record).ifPresent(found::add);
                index++;
            } else {
                index = Math.max(index + 1, parking.readLowWater().index());
            }
        }
        return new Page(found, index, false);
    }

    private Optional<ParkedMessage> own(long index, Message message, SentAgain record) {
        if (!message.id().producer().equals(definition.name)) {
            return Optional.empty();
        }
        Status status = record.isPending(getQueue(), index)
                ? Status.BEING_SENT
                : record.done(getQueue()).contains(index) ? Status.DONE : Status.PARKED;
        return ParkedMessage.of(index, status, message.payloads());
    }

    /** The result of a request to send a message again. */
    public sealed interface Answer {

        /** This request sent the message, or finished what another request had begun. */
        record Sent() implements Answer {}

        /** The message was sent again or discarded before. Nothing was done. */
        record DoneBefore() implements Answer {}

        /**
         * The handler has not taken the messages that were sent before. Nothing is lost: the request may be repeated later. The
         * oldest message has room before the others.
         *
         * @param why what happened and what to do
         */
        record Full(String why) implements Answer {}
    }

    /**
     * Sends a message to the handler again, as one of the queue where it was.
     *
     * @param index in the parking queue
     * @return whether it was sent
     * @throws IllegalArgumentException if there is no message of this handler at the index; if the handler does not take its queue;
     *     if the message is too long for a register that also lists the messages sent before
     * @throws IllegalStateException if the message is 4,000,000 or more indexes behind the first one that was neither sent nor
     *     discarded
     * @throws TwoProducersException if another program has pushed to the handler's queue, or its registers were restored from a
     *     backup
     * @throws InterruptedException if the thread was interrupted: the message may have been sent; the request may be repeated
     */
    public Answer sendAgain(long index) throws InterruptedException {
        return sendAgain(index, Optional.empty());
    }

    /**
     * Sends a message to the handler again, as one of another queue. For a handler whose input queue was renamed.
     *
     * @param index in the parking queue
     * @param inputQueue the name of an input queue of the handler
     * @return whether it was sent
     * @throws IllegalArgumentException if there is no message of this handler at the index; if the handler does not take that
     *     queue; if the message is too long for a register that also lists the messages sent before
     * @throws IllegalStateException if the message is 4,000,000 or more indexes behind the first one that was neither sent nor
     *     discarded
     * @throws TwoProducersException if another program has pushed to the handler's queue, or its registers were restored from a
     *     backup
     * @throws InterruptedException if the thread was interrupted: the message may have been sent; the request may be repeated
     */
    public Answer sendAgain(long index, String inputQueue) throws InterruptedException {
        return sendAgain(index, Optional.of(inputQueue));
    }

    /** One request at a time is under way. A later request finishes it first. */
    private Answer sendAgain(long index, Optional<String> inputQueue) throws InterruptedException {
        requireIndex(index);
        StoredValue present = definition.sentAgain.read();
        boolean begun = false;
        while (true) {
            SentAgain record = SentAgain.of(definition.name, present);
            if (record.pending().isPresent()) {
                boolean own = record.isPending(getQueue(), index);
                Optional<Answer> full = push(record);
                if (full.isPresent()) {
                    return full.get();
                }
                CompareAndSetOutcome outcome = definition.sentAgain.compareAndSet(
                        present.getVersion(), record.withoutPending().toBytes());
                if (own) {
                    freeCells();
                    return new Answer.Sent();
                }
                present = outcome.present();
            } else if (record.done(getQueue()).contains(index)) {
                freeCells(); // the request that sent it may have died before that
                return begun ? new Answer.Sent() : new Answer.DoneBefore();
            } else {
                SentAgain next = fitting(record.beginning(pending(index, inputQueue)), index);
                Optional<PushAnswer.RingFull> full = whyFull(record, index);
                if (full.isPresent()) {
                    return full(full.get());
                }
                if (!(again.readConfirmed(record.nextSequence()) instanceof Cell.Absent)) {
                    present = changedSince(present, record);
                    continue;
                }
                CompareAndSetOutcome outcome = definition.sentAgain.compareAndSet(present.getVersion(), next.toBytes());
                begun |= outcome instanceof CompareAndSetOutcome.Applied;
                present = outcome.present();
            }
        }
    }

    /**
     * Empty if a message may be sent again. The last free cell is kept for the oldest parked message, whose cell is freed first.
     * Otherwise the parking ring and the ring of messages sent again could be full, and wait for each other.
     */
    private Optional<PushAnswer.RingFull> whyFull(SentAgain record, long index) throws InterruptedException {
        boolean oldest = getQueue().equals(parkingOf(definition).queue())
                && record.done(getQueue()).below() == index;
        LowWater lowWater = again.readLowWater();
        return again.getLayout().mayWrite(record.nextSequence() + (oldest ? 0 : 1), lowWater.index())
                ? Optional.empty()
                : Optional.of(new PushAnswer.RingFull(lowWater.slowest(), lowWater.index()));
    }

    /**
     * A record whose next message is in the queue is old. If a compare-and-set shows that it is the present record, it was restored
     * from a backup. The message with that number is then another one.
     */
    private StoredValue changedSince(StoredValue seen, SentAgain record) throws InterruptedException {
        CompareAndSetOutcome outcome = definition.sentAgain.compareAndSet(seen.getVersion(), record.toBytes());
        if (outcome instanceof CompareAndSetOutcome.Applied) {
            throw anotherAt(record.nextSequence());
        }
        return outcome.present();
    }

    private TwoProducersException anotherAt(long index) {
        return new TwoProducersException("Queue " + again.getName() + " has another message at index " + index
                + ", though only parked messages of handler " + definition.name
                + " are pushed to it. Its registers were restored from a backup, or another program uses the name. The"
                + " message stays in queue " + getQueue()
                + ". Begin again under a new name of the handler. Take the parked messages from queue " + getQueue()
                + " by a program of your own");
    }

    private SentAgain.Pending pending(long index, Optional<String> inputQueue) throws InterruptedException {
        ParkedMessage message = parked(index);
        String to = inputQueue.orElse(message.queue());
        if (!definition.inputs.containsKey(to) || again.getName().equals(to)) {
            throw new IllegalArgumentException("Handler " + definition.name + " takes no queue " + to
                    + " now. The parked message at index " + index + " of queue " + getQueue()
                    + " was not sent again. Name one of the queues that it takes: "
                    + definition.getInputQueues().stream()
                            .map(MessageQueue::getName)
                            .toList());
        }
        return new SentAgain.Pending(getQueue(), index, message.payloadsFor(to));
    }

    /** All indexes below the first one in the list of those that were sent count as sent. */
    private void requireIndex(long index) {
        if (index < 0) {
            throw noMessageAt(index, "");
        }
    }

    private ParkedMessage parked(long index) throws InterruptedException {
        Cell cell = parking.read(index);
        Optional<ParkedMessage> found =
                cell instanceof Cell.Full full ? own(index, full.message(), SentAgain.none()) : Optional.empty();
        return found.orElseThrow(
                () -> noMessageAt(index, cell instanceof Cell.Gone ? ": it was taken by another consumer" : ""));
    }

    private IllegalArgumentException noMessageAt(long index, String why) {
        return new IllegalArgumentException("Queue " + getQueue() + " has no message at index " + index
                + " that handler " + definition.name + " has parked" + why);
    }

    private SentAgain fitting(SentAgain record, long index) {
        if (record.toBytes().length > RegisterLimits.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("The parked message at index " + index + " of queue " + getQueue()
                    + " is too long to be sent again. A register holds it together with the list of messages that were"
                    + " sent again. Take it from the queue by a program of your own");
        }
        return record;
    }

    /**
     * Pushes the pending message of a record. Empty if the message is in the queue; then any process may remove it from the record.
     */
    private Optional<Answer> push(SentAgain record) throws InterruptedException {
        Message message = new Message(
                MessageId.of(again.getName(), record.nextSequence() - 1),
                record.pending().orElseThrow().payloads());
        PushAnswer answer = again.pushAsSoleProducer(message);
        if (answer instanceof PushAnswer.RingFull full) {
            return Optional.of(full(full));
        }
        if (answer instanceof PushAnswer.Taken) {
            throw anotherAt(message.id().sequence());
        }
        return Optional.empty();
    }

    private Answer full(PushAnswer.RingFull full) {
        return new Answer.Full("The parked message was not sent again yet, since " + full.explained(again.getName())
                + ". Then repeat the request. The last cell is for the oldest parked message");
    }

    /**
     * Discards a message, which then needs not be handled any more.
     *
     * @param index in the parking queue
     * @return false if it was sent again or discarded before
     * @throws IllegalArgumentException if there is no message of this handler at the index
     * @throws IllegalStateException if the message is 4,000,000 or more indexes behind the first one that was neither sent nor
     *     discarded
     * @throws InterruptedException if the thread was interrupted: the message may have been discarded; the request may be repeated
     */
    public boolean discard(long index) throws InterruptedException {
        requireIndex(index);
        StoredValue present = definition.sentAgain.read();
        boolean begun = false;
        while (true) {
            SentAgain record = SentAgain.of(definition.name, present);
            if (record.done(getQueue()).contains(index)) {
                freeCells();
                return begun;
            }
            parked(index);
            CompareAndSetOutcome outcome = definition.sentAgain.compareAndSet(
                    present.getVersion(), record.discarding(getQueue(), index).toBytes());
            begun |= outcome instanceof CompareAndSetOutcome.Applied;
            present = outcome.present();
        }
    }

    /**
     * Frees cells of the parking queue. Stops at the first message that is neither sent again nor discarded, or is another
     * handler's. If another consumer takes the queue, that consumer frees its cells.
     */
    private void freeCells() throws InterruptedException {
        String consumer = again.getName();
        if (!parking.readLowWater().marks().keySet().stream().allMatch(HandlerDefinition::isNameOfAgain)) {
            return;
        }
        SentAgain record = SentAgain.of(definition.name, definition.sentAgain.read());
        long mark = parking.addConsumer(consumer).index();
        long end = mark + MOST_CELLS;
        while (mark < end && record.done(getQueue()).contains(mark) && !record.isPending(getQueue(), mark)) {
            mark++;
        }
        parking.raiseMark(consumer, mark);
    }
}

package io.github.cassandralock.exactlyonce.table;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.Listeners;
import io.github.cassandralock.exactlyonce.copy.UserFailures;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One copy that takes messages of a table (docs/exactly-once.md, "Messages in a table"). Each step is one transaction: it locks
 * messages, makes their effects, and deletes them. Copies take different messages at the same time, so only messages of a lane have
 * an order.
 * Thread-safe.
 */
public final class TableCopy extends Copy<TableListener> {

    private static final Logger log = LoggerFactory.getLogger(TableCopy.class);

    /** In characters, as operators read it in the table. */
    private static final int MOST_REASON = 500;

    private static final int MOST_DOUBLINGS = 20;

    /** After so many steps with messages of one kind in succession, others are looked for. */
    private static final int STEPS_OF_A_KIND = 16;

    /** More messages than these that fail in succession may have one cause, such as a service that is down. */
    private static final int ONE_CAUSE = 5;

    /** Of the pauses while all messages fail, so that one that succeeds is found soon. */
    private static final Duration LONGEST_OF_ONE_CAUSE = Duration.ofSeconds(1);

    /** How many failed messages are shown to operators. */
    private static final int FAILED_SHOWN = 5;

    private final String queue;
    private final MessageTable table;
    private final int group;
    private final GrowingPauses retry;
    private final GrowingPauses.Series idlePauses;
    private final GrowingPauses.Series failurePauses;
    private final GrowingPauses.Series oneCausePauses;

    /** Kind → how many of its next messages are taken one at a time. Used by the copy's thread. */
    private final Map<MessageKind, Integer> alone = new EnumMap<>(MessageKind.class);

    /** Which messages the next step takes. Used by the copy's thread. */
    private MessageKind kind = MessageKind.NEW;

    /** How many steps in succession took messages of this kind. Used by the copy's thread. */
    private int steps;

    /** Of how many kinds in succession there was no message. Used by the copy's thread. */
    private int empty;

    /** How often the database has failed in succession. Used by the copy's thread. */
    private int failures;

    /** How many messages have failed in succession, and none has been taken. Used by the copy's thread. */
    private int failedMessages;

    /** What a step has taken, or has failed with. */
    private record Step(MessageKind kind, List<TableMessage> messages, Optional<Throwable> failure) {}

    /**
     * Creates a copy that is not started. Does no I/O.
     *
     * @param queue the name of the queue
     * @param table has its messages
     * @param group how many messages one transaction takes at most
     * @param idle pauses while there is nothing to take
     * @param retry pauses before a message that failed is tried again, and while the database does not answer
     * @param copyName the name of this copy, for the name of its thread
     * @param listeners receive what this copy does, in this order, even if one of them throws
     * @param environment the pauses and the thread
     * @throws IllegalArgumentException if the name is not allowed, or the group is empty
     */
    public TableCopy(
            String queue,
            MessageTable table,
            int group,
            GrowingPauses idle,
            GrowingPauses retry,
            String copyName,
            List<TableListener> listeners,
            CopyEnvironment environment) {
        super("method", Names.checked("queue", queue), copyName, listeners, environment);
        if (group < 1) {
            throw new IllegalArgumentException("A transaction takes at least one message, not " + group);
        }
        this.queue = queue;
        this.table = table;
        this.group = group;
        this.retry = retry;
        this.idlePauses = idle.begin(getPauser());
        this.failurePauses = retry.begin(getPauser());
        this.oneCausePauses = new GrowingPauses(
                        shorter(retry.first(), LONGEST_OF_ONE_CAUSE), shorter(retry.longest(), LONGEST_OF_ONE_CAUSE))
                .begin(getPauser());
    }

    @Override
    protected void run() throws InterruptedException {
        while (beginStep()) {
            try {
                end(step());
                failures = 0;
                failurePauses.reset();
            } catch (RegisterUnavailableException e) {
                databaseFailed(e);
            }
        }
    }

    /**
     * What it returns with a failure was rolled back, unless the outcome of the commit is unknown. A message that has failed before
     * is tried alone.
     */
    private Step step() throws InterruptedException {
        List<TableMessage> messages = List.of();
        try (TableTransaction transaction = table.begin()) {
            messages = transaction.lock(isAlone() ? 1 : group, kind);
            if (!messages.isEmpty()) {
                transaction.apply(messages);
                Thread.interrupted(); // An effect that interrupts its own thread does not end the copy.
                transaction.delete(messages);
                transaction.commit();
            } else if (kind == MessageKind.FAILED) {
                List<FailedMessage> waiting = transaction.failed(FAILED_SHOWN);
                listeners().tell(listener -> listener.onFailedMessagesRead(queue, waiting));
            }
            return new Step(kind, messages, Optional.empty());
        } catch (MessageFailedException e) {
            return new Step(kind, messages, Optional.of(e.getCause() == null ? e : e.getCause()));
        } catch (UnknownOutcomeException e) { // The cause may be one message, such as by a check at the commit.
            return new Step(kind, messages, Optional.of(e));
        }
    }

    private boolean isAlone() {
        return kind == MessageKind.FAILED || alone.getOrDefault(kind, 0) > 0;
    }

    private void end(Step step) throws InterruptedException {
        List<TableMessage> messages = step.messages();
        alone.merge(kind, 0, (before, none) -> messages.isEmpty() ? 0 : Math.max(0, before - messages.size()));
        empty = messages.isEmpty() ? empty + 1 : 0;
        takeTurns(messages.isEmpty());
        if (step.failure().isPresent()) {
            failed(step, step.failure().get());
        } else if (empty == MessageKind.values().length) {
            empty = 0;
            listeners().tell(listener -> listener.onIdle(queue));
            idlePauses.pause();
        } else if (!messages.isEmpty()) {
            failedMessages = 0;
            oneCausePauses.reset();
            idlePauses.reset();
            listeners().tell(listener -> listener.onMessagesTaken(queue, messages.size()));
        }
    }

    /** Failed messages are tried one by one, so one step is enough until the next turn. */
    private void takeTurns(boolean nothing) {
        steps++;
        if (nothing || kind == MessageKind.FAILED || steps >= STEPS_OF_A_KIND) {
            steps = 0;
            kind = kind.next();
        }
    }

    /** Of a group, it is unknown which message is at fault. The effect may have ended because the copy is being closed. */
    private void failed(Step step, Throwable cause) throws InterruptedException {
        List<TableMessage> messages = step.messages();
        boolean interrupted = Thread.interrupted();
        if (!beginStep()) {
            return;
        }
        if (interrupted) {
            log.debug("The effect of a message of queue {} has interrupted its own thread", queue);
        }
        if (messages.size() > 1) {
            log.debug("A group of {} messages of queue {} failed; each is tried alone", messages.size(), queue, cause);
            alone.put(step.kind(), messages.size());
        } else {
            postpone(messages.get(0), UserFailures.describable(cause));
            pauseIfAllFail();
        }
    }

    /** Otherwise each message would fail at once, one after the other, with the load and the log of each. */
    private void pauseIfAllFail() throws InterruptedException {
        failedMessages++;
        if (failedMessages > ONE_CAUSE) {
            oneCausePauses.pause();
        }
    }

    private void postpone(TableMessage message, Throwable cause) throws InterruptedException {
        int attempt = message.failures() + 1;
        Duration pause = pauseAfter(attempt);
        if (Listeners.isToBeLogged(Math.max(attempt, failedMessages + 1))) {
            log.warn(
                    "Message {} of queue {} failed, attempt {}; it is tried again in {}",
                    message.id(),
                    queue,
                    attempt,
                    pause,
                    cause);
        }
        listeners().tell(listener -> listener.onMessageFailed(queue, attempt, cause));
        try {
            table.postpone(message, pause, reason(cause));
        } catch (RegisterRefusedException e) { // such as characters that the database does not have
            table.postpone(message, pause, cause.getClass().getName());
        }
    }

    /** Without the character that no text of PostgreSQL may have. */
    private static String reason(Throwable cause) {
        String text = cause.toString().replace('\0', '?');
        return text.substring(0, Math.min(MOST_REASON, text.length()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Duration pauseAfter(int attempt) {
        return shorter(retry.first().multipliedBy(1L << Math.min(MOST_DOUBLINGS, attempt - 1)), retry.longest());
    }

    private void databaseFailed(RuntimeException cause) throws InterruptedException {
        failures++;
        if (Listeners.isToBeLogged(failures)) {
            log.warn(
                    "A transaction on queue {} failed, attempt {}; it is tried again after a pause",
                    queue,
                    failures,
                    cause);
        }
        listeners().tell(listener -> listener.onDatabaseFailed(queue, failures, cause));
        failurePauses.pause();
    }
}

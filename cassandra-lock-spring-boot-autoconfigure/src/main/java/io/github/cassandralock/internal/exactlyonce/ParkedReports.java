package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.ParkedMessage;
import io.github.cassandralock.exactlyonce.handler.ParkedMessages;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The parked messages of this application's handlers, for operators. Each question is answered within a bounded time, although a store
 * may not answer: it is asked by a thread of its own, one question at a time. Thread-safe.
 */
public final class ParkedReports implements AutoCloseable {

    /** How long a store is waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How many questions wait for the one before. */
    private static final int MOST_WAITING = 8;

    private static final String DONE_BEFORE = "The message was sent again or discarded before; nothing was done.";

    private final Map<String, HandlerDefinition<?>> handlers = new LinkedHashMap<>();
    private final Function<String, MessageQueue> queues;
    private final ThreadPoolExecutor thread;

    /**
     * @param definitions of all handlers
     * @param queues the queues of the application by their names, for those to which messages were parked formerly
     */
    public ParkedReports(List<HandlerDefinition<?>> definitions, Function<String, MessageQueue> queues) {
        definitions.stream()
                .filter(HandlerDefinition::parks)
                .forEach(definition -> handlers.put(definition.name(), definition));
        this.queues = queues;
        thread = new ThreadPoolExecutor(
                1, 1, PATIENCE.toNanos(), TimeUnit.NANOSECONDS, new ArrayBlockingQueue<>(MOST_WAITING), body -> {
                    Thread created = new Thread(body, "exactly-once-parked");
                    created.setDaemon(true);
                    return created;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /** The question is wrong. The message says what is. */
    public static final class WrongQuestionException extends Exception {

        private static final long serialVersionUID = 1L;

        WrongQuestionException(String message) {
            super(message);
        }
    }

    /** There is no answer now. The message says why. */
    public static final class NoAnswerException extends Exception {

        private static final long serialVersionUID = 1L;

        NoAnswerException(String message) {
            super(message);
        }
    }

    private interface Question<T> {
        T ask() throws InterruptedException;
    }

    /**
     * A parked message, as operators read it. Contents are not shown.
     *
     * @param index in the parking queue
     * @param status PARKED, BEING_SENT or DONE
     * @param queue where it was
     * @param queueIndex where in that queue
     * @param id of the message there
     * @param cause why it was parked
     * @param payloadSizes in bytes; the first hundred
     */
    public record Parked(
            long index,
            String status,
            String queue,
            long queueIndex,
            String id,
            String cause,
            List<Integer> payloadSizes) {

        private static final int MOST_SIZES = 100;

        static Parked of(ParkedMessage message) {
            return new Parked(
                    message.index(),
                    message.status().name(),
                    message.queue(),
                    message.queueIndex(),
                    message.id(),
                    message.cause(),
                    message.payloads().stream()
                            .limit(MOST_SIZES)
                            .map(payload -> payload.length)
                            .toList());
        }
    }

    /**
     * A part of a handler's parked messages.
     *
     * @param handler its name
     * @param parkingQueue where they are
     * @param messages in the order of their indexes
     * @param next where the next part begins
     * @param complete whether there is no next part
     */
    public record Page(String handler, String parkingQueue, List<Parked> messages, long next, boolean complete) {}

    /** Handlers that park messages, and their parking queues. Does no I/O. */
    public Map<String, String> parkingQueues() {
        Map<String, String> names = new LinkedHashMap<>();
        handlers.forEach((name, definition) ->
                names.put(name, ParkedMessages.of(definition).queue()));
        return names;
    }

    /**
     * Messages of a handler.
     *
     * @param queue a parking queue that it had formerly; its present one, if empty
     * @param from the first index
     * @param most how many messages
     */
    public Page page(String handler, Optional<String> queue, long from, int most)
            throws WrongQuestionException, NoAnswerException {
        ParkedMessages messages = messages(handler, queue);
        ParkedMessages.Page page = answer(() -> messages.list(from, most));
        return new Page(
                handler,
                messages.queue(),
                page.messages().stream().map(Parked::of).toList(),
                page.next(),
                page.complete());
    }

    /**
     * What a request to send a message again has led to.
     *
     * @param repeat whether it has to be repeated later
     * @param message what happened
     */
    public record Sending(boolean repeat, String message) {}

    /**
     * Sends a message again, once.
     *
     * @param queue a parking queue that the handler had formerly; its present one, if empty
     * @param index in the parking queue
     * @param to an input queue of the handler; the one where the message was, if empty
     */
    public Sending sendAgain(String handler, Optional<String> queue, long index, Optional<String> to)
            throws WrongQuestionException, NoAnswerException {
        ParkedMessages messages = messages(handler, queue);
        ParkedMessages.Answer answer =
                answer(() -> to.isPresent() ? messages.sendAgain(index, to.get()) : messages.sendAgain(index));
        if (answer instanceof ParkedMessages.Answer.Full full) {
            return new Sending(true, full.why());
        }
        return new Sending(
                false,
                answer instanceof ParkedMessages.Answer.Sent
                        ? "The message was sent to handler " + handler + " again."
                        : DONE_BEFORE);
    }

    /** Discards a message. Returns what happened. */
    public String discard(String handler, Optional<String> queue, long index)
            throws WrongQuestionException, NoAnswerException {
        ParkedMessages messages = messages(handler, queue);
        return answer(() -> messages.discard(index)) ? "The message was discarded." : DONE_BEFORE;
    }

    private ParkedMessages messages(String handler, Optional<String> queue) throws WrongQuestionException {
        HandlerDefinition<?> definition = handlers.get(handler);
        if (definition == null) {
            throw new WrongQuestionException("There is no handler '" + handler
                    + "' that parks messages in this application; there are " + handlers.keySet());
        }
        try {
            return queue.isPresent()
                    ? ParkedMessages.of(definition, queues.apply(queue.get()))
                    : ParkedMessages.of(definition);
        } catch (IllegalArgumentException e) {
            throw new WrongQuestionException(String.valueOf(e.getMessage()));
        }
    }

    private <T> T answer(Question<T> question) throws WrongQuestionException, NoAnswerException {
        Future<T> answer;
        try {
            answer = thread.submit(question::ask);
        } catch (RejectedExecutionException e) {
            throw new NoAnswerException(
                    "Too many requests are under way, or the application closes. Repeat the request");
        }
        try {
            return answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new NoAnswerException(
                    "The store did not answer within " + PATIENCE.toSeconds()
                            + " s. It is not known whether a request to change something took effect: repeat it, which is safe");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("The thread was interrupted");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof IllegalArgumentException) {
                throw new WrongQuestionException(String.valueOf(cause.getMessage()));
            }
            throw new NoAnswerException("The request failed: " + cause.getMessage());
        } finally {
            answer.cancel(true);
        }
    }

    /** Interrupts what is under way. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

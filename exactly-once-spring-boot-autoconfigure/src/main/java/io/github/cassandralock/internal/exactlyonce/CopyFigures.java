package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.sink.PumpListener;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.table.FailedMessage;
import io.github.cassandralock.exactlyonce.table.TableListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What this application's copies of one handler, sink, pump or method have done, and why the present one waits. Thread-safe.
 */
public final class CopyFigures implements HandlerListener, SinkListener, PumpListener, TableListener {

    private static final int FRAMES_SHOWN = 10;

    private final Map<Counted, LongAdder> counts = Arrays.stream(Counted.values())
            .collect(Collectors.toUnmodifiableMap(Function.identity(), key -> new LongAdder()));

    /** Queue → its slowest consumers. */
    private final Map<String, List<String>> fullRings = new ConcurrentSkipListMap<>();

    /** Why the copy leaves the work to others. */
    private volatile Optional<String> standsBy = Optional.empty();

    /** The last failure of the user's function or transaction, while that is tried again. */
    private volatile Optional<String> lastFailure = Optional.empty();

    /** Messages of a method that have failed in any copy and wait. */
    private volatile List<String> failedMessages = List.of();

    private volatile Optional<String> lastViolation = Optional.empty();
    private volatile Optional<String> allFail = Optional.empty();

    /**
     * The stack of the thread at the last report of a step that took too long. Empty if the copy has made progress or failed since.
     */
    private volatile List<String> overdueStack = List.of();

    /** How many there were since the application was started. */
    public long sum(Counted what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }

    /** For how long the function has failed with every message that was tried, if it does at present. */
    public Optional<String> allFail() {
        return allFail;
    }

    /**
     * What operators look at: why the copy waits, and what a store has lost.
     *
     * @param overdue for how long the present step has lasted, if that is too long
     */
    Map<String, Object> warnings(Optional<Duration> overdue) {
        Map<String, Object> warnings = new LinkedHashMap<>();
        overdue.ifPresent(lasting -> {
            warnings.put("stepHasTakenSeconds", lasting.toSeconds());
            putUnlessEmpty(warnings, "stepIsAt", overdueStack);
        });
        allFail.ifPresent(what -> warnings.put("allMessagesFail", what));
        if (!fullRings.isEmpty()) {
            warnings.put("ringFullBySlowestConsumers", Map.copyOf(fullRings));
        }
        standsBy.ifPresent(why -> warnings.put("standsBy", why));
        lastFailure.ifPresent(why -> warnings.put("failing", why));
        putUnlessEmpty(warnings, "failedMessages", failedMessages);
        lastViolation.ifPresent(what -> {
            warnings.put("violations", sum(Counted.VIOLATION));
            warnings.put("lastViolation", what);
        });
        return warnings;
    }

    private static void putUnlessEmpty(Map<String, Object> warnings, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            warnings.put(name, texts);
        }
    }

    private void count(Counted what, long number) {
        LongAdder count = counts.get(what);
        if (count != null) {
            count.add(number);
        }
    }

    /** The handler has progressed, by this copy or another, so its old waits are over. */
    private void goesOn() {
        lastFailure = Optional.empty();
        allFail = Optional.empty();
        standsBy = Optional.empty();
        overdueStack = List.of();
    }

    /** All outputs are pushed, and the copy looks for inputs. */
    private void handles() {
        goesOn();
        fullRings.clear();
    }

    /** The copy has ended, so its waits are over. */
    void ended() {
        handles();
        failedMessages = List.of();
    }

    @Override
    public void onStepCommitted(String handler, long step, int messages) {
        handles();
        count(Counted.STEP, 1);
        count(Counted.MESSAGE, messages);
    }

    @Override
    public void onStepRefused(String handler) {
        goesOn();
        count(Counted.REFUSED, 1);
    }

    @Override
    public void onIdle(String name) {
        handles();
    }

    @Override
    public void onSequenceViolated(String name, SequenceViolation violation) {
        count(Counted.VIOLATION, 1);
        lastViolation = Optional.of(violation.toString());
    }

    @Override
    public void onRingFull(String handler, String queue, List<String> slowestConsumers) {
        fullRings.put(queue, List.copyOf(slowestConsumers));
    }

    @Override
    public void onRingFreed(String handler, String queue) {
        fullRings.remove(queue);
    }

    @Override
    public void onFunctionFailed(String handler, int attempt, Throwable cause) {
        failed(attempt, cause);
    }

    @Override
    public void onTransactionFailed(String sink, int attempt, RuntimeException cause) {
        failed(attempt, cause);
    }

    private void failed(int attempt, Throwable cause) {
        count(Counted.FAILURE, 1);
        overdueStack = List.of();
        lastFailure = Optional.of("attempt " + attempt + ": " + cause);
    }

    @Override
    public void onAllMessagesFail(String handler, int messages, Duration lasting, Throwable cause) {
        allFail = Optional.of(messages + " messages, for " + lasting.toSeconds() + " s; nothing is parked");
    }

    /** Called for copies of all kinds, by a thread that only reports. */
    @Override
    public void onStepOverdue(String name, Duration lasting, List<StackTraceElement> stack) {
        count(Counted.OVERDUE, 1);
        overdueStack = stack.stream()
                .limit(FRAMES_SHOWN)
                .map(StackTraceElement::toString)
                .toList();
    }

    @Override
    public void onParked(String handler, Inputs.Input input, Throwable cause) {
        count(Counted.PARKED, 1);
    }

    @Override
    public void onStandingBy(String handler, String why) {
        standsBy = Optional.of(why);
    }

    @Override
    public void onTaken(String sink, long index) {
        handles();
        count(Counted.STEP, 1);
        count(Counted.MESSAGE, 1);
    }

    @Override
    public void onRefused(String sink) {
        goesOn();
        count(Counted.REFUSED, 1);
    }

    @Override
    public void onPushed(String pump, long row) {
        handles();
        count(Counted.MESSAGE, 1);
    }

    @Override
    public void onOutboxFailed(String pump, int attempt, RuntimeException cause) {
        failed(attempt, cause);
    }

    @Override
    public void onMessagesTaken(String queue, int messages) {
        handles();
        count(Counted.STEP, 1);
        count(Counted.MESSAGE, messages);
    }

    @Override
    public void onMessageFailed(String queue, int attempt, Throwable cause) {
        failed(attempt, cause);
    }

    /** A message that fails stays visible while others succeed. */
    @Override
    public void onFailedMessagesRead(String queue, List<FailedMessage> waiting) {
        failedMessages = waiting.stream().map(CopyFigures::text).toList();
    }

    private static String text(FailedMessage message) {
        return "message " + message.id() + ", failed " + message.failures() + " times: " + message.reason();
    }

    @Override
    public void onDatabaseFailed(String queue, int attempt, RuntimeException cause) {
        failed(attempt, cause);
    }

    /** All kinds of listeners receive this; the copy keeps the cause. */
    @Override
    public void onFailed(String name, Throwable cause) {
        ended();
    }
}

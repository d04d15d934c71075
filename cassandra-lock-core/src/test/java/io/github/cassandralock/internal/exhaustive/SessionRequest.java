package io.github.cassandralock.internal.exhaustive;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A lightweight transaction on a session's row. It is decided with its answer. If its process cannot get an answer now, it may be
 * decided before, or never.
 */
final class SessionRequest<T> extends Request {

    private final Supplier<T> decision;
    private final Function<T, StateKey> key;
    private final Function<Throwable, Optional<T>> withoutAnswer;
    private final String text;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private Optional<T> decided = Optional.empty();

    /**
     * @param decision what it does, and its answer
     * @param key of an answer
     * @param withoutAnswer what the process gets without an answer; empty: an exception
     * @param text for people
     */
    SessionRequest(
            SmallProcess process,
            Supplier<T> decision,
            Function<T, StateKey> key,
            Function<Throwable, Optional<T>> withoutAnswer,
            String text) {
        super(process);
        this.decision = decision;
        this.key = key;
        this.withoutAnswer = withoutAnswer;
        this.text = text;
    }

    CompletableFuture<T> result() {
        return result;
    }

    @Override
    boolean isUndecided() {
        return decided.isEmpty();
    }

    @Override
    void decide() {
        decided = Optional.of(decision.get());
    }

    @Override
    int answers() {
        return 1;
    }

    @Override
    StateKey answer(int choice) {
        if (isUndecided()) {
            decide();
        }
        result.complete(decided.orElseThrow());
        return key();
    }

    @Override
    void timeOut() {
        Throwable failure = new TimeoutException("no consensus in time");
        withoutAnswer.apply(failure).ifPresentOrElse(result::complete, () -> result.completeExceptionally(failure));
    }

    @Override
    StateKey key() {
        return decided.map(key).map(answer -> answer.with(1)).orElse(StateKey.EMPTY);
    }

    @Override
    String answerText(int choice) {
        return decided.map(answer -> "as it was decided").orElse("now");
    }

    @Override
    public String toString() {
        return text;
    }
}

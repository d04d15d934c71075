package io.github.cassandralock.internal.actuate;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers of Cassandra: an operation of an endpoint may block. */
final class Answers {

    static final Duration PATIENCE = Duration.ofSeconds(10);

    private Answers() {}

    /**
     * Waits for the answer, for {@link #PATIENCE} at most.
     *
     * @param problem the beginning of the message if there is none
     * @throws UnansweredException if Cassandra fails or does not answer, or the thread is interrupted
     */
    static <T> T await(CompletionStage<T> answer, String problem) {
        try {
            return answer.toCompletableFuture().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnansweredException(problem + ": the thread was interrupted", e);
        } catch (TimeoutException e) {
            throw new UnansweredException(
                    problem + ": Cassandra did not answer within " + PATIENCE.toSeconds()
                            + " s. Check the cluster and try again",
                    e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new UnansweredException(
                    problem + ": " + cause.getMessage() + ". Check the cluster and try again", cause);
        }
    }
}

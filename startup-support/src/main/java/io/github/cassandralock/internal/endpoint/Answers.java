package io.github.cassandralock.internal.endpoint;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** The answers of endpoints. An operation of an endpoint may block, for a bounded time. */
public final class Answers {

    /** The longest wait of an operation. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private Answers() {}

    /**
     * Answers a request of an operator. A request that cannot be answered is no error of this application: the answer explains what
     * to do.
     *
     * @param request throws {@link IllegalArgumentException} if it is wrong, and {@link UnansweredException} if there is no answer
     */
    public static WebEndpointResponse<Object> to(Supplier<WebEndpointResponse<Object>> request) {
        try {
            return request.get();
        } catch (IllegalArgumentException e) {
            return message(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (UnansweredException e) {
            return message(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    public static WebEndpointResponse<Object> message(int status, String text) {
        return new WebEndpointResponse<>(new MessageBody(text), status);
    }

    /**
     * Waits for an answer of Cassandra, for {@link #PATIENCE} at most.
     *
     * @param problem the beginning of the message if there is no answer
     * @throws UnansweredException if Cassandra fails or does not answer, or the thread is interrupted
     */
    public static <T> T await(CompletionStage<T> answer, String problem) {
        return await(answer.toCompletableFuture(), problem, "Check the cluster and try again");
    }

    /**
     * Waits for an answer of a store, for {@link #PATIENCE} at most.
     *
     * @param problem the beginning of the message if there is no answer
     * @param advice the end of the message
     * @throws IllegalArgumentException if the answer is that the request is wrong
     * @throws UnansweredException if the store fails or does not answer, or the thread is interrupted
     */
    public static <T> T await(Future<T> answer, String problem, String advice) {
        try {
            return answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnansweredException(problem + ": the thread was interrupted", e);
        } catch (TimeoutException e) {
            throw new UnansweredException(
                    problem + ": the store did not answer within " + PATIENCE.toSeconds() + " s. " + advice, e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof IllegalArgumentException wrong) {
                throw wrong;
            }
            throw new UnansweredException(problem + ": " + cause.getMessage() + ". " + advice, cause);
        }
    }
}

package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.Requester;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/** The endpoint {@code exactlyonce}, with operations that send parked messages again and discard them. */
@WebEndpoint(id = "exactlyonce")
public final class SendingEndpoint extends ExactlyOnceEndpoint {

    private static final Logger log = LoggerFactory.getLogger(SendingEndpoint.class);

    public SendingEndpoint(ParkedReports reports, CopyReports copies) {
        super(reports, copies);
    }

    @Override
    boolean sends() {
        return true;
    }

    /**
     * Sends a parked message to its handler again, once: the request may be repeated.
     *
     * @param index in the parking queue
     * @param to an input queue of the handler, if the message's queue was renamed
     * @param queue a parking queue that the handler had formerly
     */
    @WriteOperation
    public WebEndpointResponse<Object> sendAgain(
            SecurityContext security,
            long index,
            @Nullable String to,
            @Nullable String queue,
            @Selector(match = Selector.Match.ALL_REMAINING) String... handler) {
        return Answers.to(() -> {
            ParkedReports.Sending sending =
                    reports.sendAgain(name(handler), Optional.ofNullable(queue), index, Optional.ofNullable(to));
            logRequest(security, "send again", name(handler), index, sending.message());
            return Answers.message(
                    sending.repeat() ? WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE : WebEndpointResponse.STATUS_OK,
                    sending.message());
        });
    }

    /**
     * Discards a parked message: it is not handled any more.
     *
     * @param index in the parking queue
     * @param queue a parking queue that the handler had formerly
     */
    @DeleteOperation
    public WebEndpointResponse<Object> discard(
            SecurityContext security,
            long index,
            @Nullable String queue,
            @Selector(match = Selector.Match.ALL_REMAINING) String... handler) {
        return Answers.to(() -> {
            String answer = reports.discard(name(handler), Optional.ofNullable(queue), index);
            logRequest(security, "discard", name(handler), index, answer);
            return Answers.message(WebEndpointResponse.STATUS_OK, answer);
        });
    }

    private static void logRequest(SecurityContext security, String what, String handler, long index, String answer) {
        String who = Requester.of(security).orElse("Somebody");
        log.warn("{} has requested to {} the parked message {} of handler {}: {}", who, what, index, handler, answer);
    }
}

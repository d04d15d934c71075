package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.GuardedEndpoint;
import io.github.cassandralock.internal.endpoint.MessageBody;
import io.github.cassandralock.internal.endpoint.StrictParameters;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.lang.Nullable;

/** The endpoint {@code exactlyonce}: which handlers park messages, and what they have parked. */
@WebEndpoint(id = "exactlyonce")
@RegisterReflectionForBinding({ExactlyOnceEndpoint.HandlersBody.class, ParkedReports.Page.class, MessageBody.class})
public class ExactlyOnceEndpoint {

    /** Parked messages are sent again and discarded here. */
    public static final GuardedEndpoint GUARD = new GuardedEndpoint(
            "exactlyonce",
            Set.of("POST", "DELETE"),
            "exactly-once.resend.enabled",
            "A parked message is sent again by POST and discarded by DELETE, not by another method.",
            "A page of another site has sent this request, so no message is sent again or discarded.");

    private static final int LONGEST_PAGE = 100;

    final ParkedReports reports;

    public ExactlyOnceEndpoint(ParkedReports reports) {
        this.reports = reports;
    }

    /** Whether messages can be sent again here. */
    boolean sends() {
        return false;
    }

    /**
     * What the endpoint answers without a handler's name.
     *
     * @param parkingQueues handler → its parking queue
     * @param sendsAgain whether messages can be sent again here
     */
    record HandlersBody(Map<String, String> parkingQueues, boolean sendsAgain) implements OperationResponseBody {}

    /** Handlers that park messages, and their parking queues. */
    @ReadOperation
    public WebEndpointResponse<Object> handlers() {
        return new WebEndpointResponse<>(new HandlersBody(reports.parkingQueues(), sends()));
    }

    /**
     * Parked messages of a handler, a hundred at most.
     *
     * @param queue a parking queue that the handler had formerly
     * @param from the first index; the field {@code next} of the previous answer
     * @param handler its name; an array, so that {@link StrictParameters} sees whether a parameter replaces that of the path
     */
    @ReadOperation
    public WebEndpointResponse<Object> parked(
            @Nullable String queue,
            @Nullable Long from,
            @Selector(match = Selector.Match.ALL_REMAINING) String... handler) {
        return Answers.to(() -> new WebEndpointResponse<>(
                reports.page(name(handler), Optional.ofNullable(queue), from == null ? 0 : from, LONGEST_PAGE)));
    }

    /** A name has no slash, so a longer path is no handler's. */
    static String name(String... path) {
        return String.join("/", path);
    }
}

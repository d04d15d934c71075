package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.internal.endpoint.Answers;
import io.github.cassandralock.internal.endpoint.GuardedEndpoint;
import io.github.cassandralock.internal.endpoint.MessageBody;
import io.github.cassandralock.internal.endpoint.StrictParameters;
import java.util.List;
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

/** The endpoint {@code exactlyonce}: what this instance runs, and what handlers have parked. */
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
    private final CopyReports copies;

    public ExactlyOnceEndpoint(ParkedReports reports, CopyReports copies) {
        this.reports = reports;
        this.copies = copies;
    }

    /** Whether messages can be sent again here. */
    boolean sends() {
        return false;
    }

    /**
     * What the endpoint answers without a handler's name.
     *
     * @param status of all together: UP, WARNING or DOWN
     * @param store why it cannot be used; empty if it can
     * @param copies what this instance runs
     * @param parkingQueues handler → its parking queue
     * @param sendsAgain whether messages can be sent again here
     */
    record HandlersBody(
            String status,
            String store,
            List<CopyReports.Shown> copies,
            Map<String, String> parkingQueues,
            boolean sendsAgain)
            implements OperationResponseBody {}

    /** What this instance runs, and which handlers park messages. Does no I/O. */
    @ReadOperation
    public WebEndpointResponse<Object> handlers() {
        return new WebEndpointResponse<>(new HandlersBody(
                copies.status(),
                copies.storeProblem().get().orElse(""),
                copies.all(),
                reports.parkingQueues(),
                sends()));
    }

    /**
     * Parked messages of a handler, a hundred at most.
     *
     * @param queue a parking queue that the handler had formerly
     * @param from the first index; the field {@code next} of the previous answer
     * @param handler its name; an array, so that {@link StrictParameters} sees whether a parameter replaces the name in the path
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

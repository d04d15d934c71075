package io.github.cassandralock.internal.endpoint;

import io.github.cassandralock.internal.properties.OnSwitch;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Which requests reach an endpoint. Another site cannot show the endpoint's page in a frame, run scripts in it, or change
 * something by requests. A request that changes something has its parameters where they are read. Without state.
 *
 * @param endpoint whose requests these are
 * @param changes whether the property is set that permits changes by requests
 * @param othersMayAsk whether the application has configured from where scripts of other sites may send requests to the endpoints
 *     (CORS): Spring then refuses all others
 */
record RequestRules(GuardedEndpoint endpoint, boolean changes, boolean othersMayAsk) {

    /** The rules of an application with these properties. */
    static RequestRules of(GuardedEndpoint endpoint, Environment environment) {
        return new RequestRules(
                endpoint,
                OnSwitch.isOn(environment, endpoint.property(), false),
                Stream.of("allowed-origins", "allowed-origin-patterns")
                        .anyMatch(name -> Binder.get(environment)
                                .bind("management.endpoints.web.cors." + name, Bindable.listOf(String.class))
                                .isBound()));
    }

    /** The headers of every response of the endpoint. The page and its files come from the endpoint itself. */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'",
            "X-Frame-Options",
            "DENY",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer");

    /** Methods that change nothing. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private static final Refusal MISPLACED = new Refusal(
            400,
            "A POST has its parameters in the body only, as fields of a JSON object; a DELETE in the query only. Nothing was"
                    + " done.");

    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    /**
     * A request to the endpoint. Missing headers are null.
     *
     * @param method with which it came, whatever a filter has made of it
     * @param query not decoded
     * @param hasBody whether a header announces a body
     */
    record Request(
            String method,
            @Nullable String query,
            boolean hasBody,
            @Nullable String secFetchSite,
            @Nullable String origin,
            @Nullable String host,
            @Nullable String forwardedHost) {

        /** Whether a page of another origin has sent it. Only browsers send these headers. */
        private boolean isForeign() {
            if (secFetchSite != null) {
                return !OWN_SITE.contains(secFetchSite);
            }
            if (origin == null) {
                return false;
            }
            String authority = origin.substring(origin.indexOf("://") + 3);
            return !authority.equals(host) && !authority.equals(forwardedHost);
        }

        /** Whether it has parameters where none are read, or where they would replace others. */
        private boolean hasMisplacedParameters() {
            return method.equals("POST") ? hasParameters() : hasBody;
        }

        /** Names with an underscore in front are for filters, such as {@code _csrf}. */
        private boolean hasParameters() {
            return query != null
                    && Stream.of(query.split("&")).anyMatch(part -> !part.isEmpty() && !part.startsWith("_"));
        }
    }

    /** A response in place of the endpoint's. */
    record Refusal(int status, String message) {

        /** The response as the endpoint writes it. */
        String json() {
            return "{\"message\":\"" + message + "\"}";
        }
    }

    /** Returns the answer to a request that must not reach the endpoint. */
    Optional<Refusal> refusal(Request request) {
        if (SAFE.contains(request.method())) {
            return Optional.empty();
        }
        if (!endpoint.changing().contains(request.method())) {
            return Optional.of(new Refusal(405, endpoint.otherMethod()));
        }
        if (!changes) {
            return Optional.of(new Refusal(
                    405, "This application changes nothing by this endpoint. Set " + endpoint.property() + ": true."));
        }
        if (request.isForeign() && !othersMayAsk) {
            return Optional.of(new Refusal(403, endpoint.otherSite()));
        }
        return request.hasMisplacedParameters() ? Optional.of(MISPLACED) : Optional.empty();
    }
}

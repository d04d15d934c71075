package io.github.cassandralock.internal.endpoint;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What other sites cannot make a browser do with an endpoint: show its page in a frame, run a script in it, or change something by
 * a form or a request. Without state.
 *
 * @param endpoint whose requests these are
 * @param othersMayAsk whether the application has configured from where scripts of other sites may send requests to the endpoints
 *     (CORS): Spring then refuses all others
 */
record BrowserRules(GuardedEndpoint endpoint, boolean othersMayAsk) {

    /** The rules of an application with these properties. */
    static BrowserRules of(GuardedEndpoint endpoint, Environment environment) {
        return new BrowserRules(
                endpoint,
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

    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    /**
     * A request to the endpoint. Missing headers are null.
     *
     * @param method with which it came, whatever a filter has made of it
     */
    record Request(
            String method,
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
        return request.isForeign() && !othersMayAsk
                ? Optional.of(new Refusal(403, endpoint.otherSite()))
                : Optional.empty();
    }
}

package io.github.cassandralock.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class RequestRulesTest {

    private static final GuardedEndpoint LOCKS =
            new GuardedEndpoint("locks", Set.of("DELETE"), "locks.breaking", "another method", "another site");
    private static final GuardedEndpoint HANDLERS = new GuardedEndpoint(
            "handlers", Set.of("POST", "DELETE"), "handlers.sending", "another method", "another site");
    private static final RequestRules RULES = new RequestRules(LOCKS, true, false);

    private static int status(RequestRules rules, RequestRules.Request request) {
        return rules.refusal(request).map(RequestRules.Refusal::status).orElse(200);
    }

    private static RequestRules.Request request(
            String method,
            @Nullable String site,
            @Nullable String origin,
            String host,
            @Nullable String forwardedHost) {
        return new RequestRules.Request(method, null, false, site, origin, host, forwardedHost);
    }

    private static int delete(@Nullable String site, @Nullable String origin, @Nullable String forwardedHost) {
        return status(RULES, request("DELETE", site, origin, "app:8080", forwardedHost));
    }

    @Test
    void onlyARealDeleteReleasesALock() {
        for (String method : new String[] {"POST", "PUT", "PATCH", "delete", "BREW"}) {
            assertThat(status(RULES, request(method, null, null, "app:8080", null)))
                    .as(method)
                    .isEqualTo(405);
        }
        for (String method : new String[] {"GET", "HEAD", "OPTIONS"}) {
            assertThat(status(RULES, request(method, "cross-site", "https://evil.example", "app:8080", null)))
                    .as(method)
                    .isEqualTo(200);
        }
    }

    @Test
    void programsAndTheOwnPageMayReleaseAndPagesOfOthersMayNot() {
        assertThat(delete(null, null, null)).as("a program").isEqualTo(200);
        assertThat(delete("same-origin", "https://shown.example", null))
                .as("the page, behind a proxy that changes the host")
                .isEqualTo(200);
        assertThat(delete(null, "http://app:8080", null))
                .as("the page, in a browser that does not say more")
                .isEqualTo(200);
        assertThat(delete(null, "https://shown.example", "shown.example")).isEqualTo(200);
        assertThat(delete("cross-site", null, null)).isEqualTo(403);
        assertThat(delete("same-site", "http://app:8080", null)).isEqualTo(403);
        assertThat(delete(null, "http://app:8081", null)).isEqualTo(403);
        assertThat(delete(null, "http://app:8080.evil.example", null)).isEqualTo(403);
        assertThat(delete(null, "null", null)).as("a sandboxed frame").isEqualTo(403);
    }

    @Test
    void parkedMessagesAreChangedByPostAndDeleteOfTheOwnSite() {
        RequestRules rules = new RequestRules(HANDLERS, true, false);
        for (String method : new String[] {"POST", "DELETE"}) {
            assertThat(status(rules, request(method, null, null, "app:8080", null)))
                    .as(method)
                    .isEqualTo(200);
            assertThat(status(rules, request(method, "cross-site", null, "app:8080", null)))
                    .as(method)
                    .isEqualTo(403);
            assertThat(status(rules, request(method, null, "https://evil.example", "app:8080", null)))
                    .as(method)
                    .isEqualTo(403);
        }
        assertThat(status(rules, request("PUT", null, null, "app:8080", null))).isEqualTo(405);
    }

    @Test
    void sitesThatTheApplicationHasConfiguredAreSpringsMatter() {
        assertThat(status(
                        new RequestRules(LOCKS, true, true),
                        request("DELETE", "cross-site", "https://admin.example", "app:8080", null)))
                .isEqualTo(200);
    }

    private static int withParameters(String method, @Nullable String query, boolean hasBody) {
        return status(
                new RequestRules(HANDLERS, true, false),
                new RequestRules.Request(method, query, hasBody, null, null, "app:8080", null));
    }

    @Test
    void parametersAreInTheBodyOfAPostAndInTheQueryOfADelete() {
        assertThat(withParameters("POST", null, true)).isEqualTo(200);
        assertThat(withParameters("DELETE", "index=1&queue=q", false)).isEqualTo(200);
        assertThat(withParameters("POST", "index=1", true)).isEqualTo(400);
        assertThat(withParameters("POST", "_csrf=1&handler=other", true)).isEqualTo(400);
        assertThat(withParameters("DELETE", "index=1", true)).isEqualTo(400);
        assertThat(withParameters("POST", "_csrf=1", true)).as("for a filter").isEqualTo(200);
        assertThat(withParameters("GET", "from=1", true))
                .as("as at any endpoint")
                .isEqualTo(200);
    }

    @Test
    void changeThatIsNotSwitchedOnIsAnsweredWithTheProperty() {
        RequestRules off = RequestRules.of(HANDLERS, new MockEnvironment());
        RequestRules on = RequestRules.of(HANDLERS, new MockEnvironment().withProperty("handlers.sending", "true"));
        RequestRules.Request post = request("POST", null, null, "app:8080", null);
        assertThat(off.refusal(post)).hasValueSatisfying(refusal -> {
            assertThat(refusal.status()).isEqualTo(405);
            assertThat(refusal.json()).contains("Set handlers.sending: true");
        });
        assertThat(on.refusal(post)).isEmpty();
        assertThat(off.refusal(request("GET", null, null, "app:8080", null))).isEmpty();
    }
}

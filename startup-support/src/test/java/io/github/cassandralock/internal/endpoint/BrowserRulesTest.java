package io.github.cassandralock.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BrowserRulesTest {

    private static final GuardedEndpoint LOCKS =
            new GuardedEndpoint("locks", Set.of("DELETE"), "another method", "another site");
    private static final GuardedEndpoint HANDLERS =
            new GuardedEndpoint("handlers", Set.of("POST", "DELETE"), "another method", "another site");
    private static final BrowserRules RULES = new BrowserRules(LOCKS, false);

    private static int status(BrowserRules rules, BrowserRules.Request request) {
        return rules.refusal(request).map(BrowserRules.Refusal::status).orElse(200);
    }

    private static int delete(@Nullable String site, @Nullable String origin, @Nullable String forwardedHost) {
        return status(RULES, new BrowserRules.Request("DELETE", site, origin, "app:8080", forwardedHost));
    }

    @Test
    void onlyARealDeleteBreaksALock() {
        for (String method : new String[] {"POST", "PUT", "PATCH", "delete", "BREW"}) {
            assertThat(status(RULES, new BrowserRules.Request(method, null, null, "app:8080", null)))
                    .as(method)
                    .isEqualTo(405);
        }
        for (String method : new String[] {"GET", "HEAD", "OPTIONS"}) {
            assertThat(status(
                            RULES,
                            new BrowserRules.Request(method, "cross-site", "https://evil.example", "app:8080", null)))
                    .as(method)
                    .isEqualTo(200);
        }
    }

    @Test
    void programsAndTheOwnPageMayBreakAndPagesOfOthersMayNot() {
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
        BrowserRules rules = new BrowserRules(HANDLERS, false);
        for (String method : new String[] {"POST", "DELETE"}) {
            assertThat(status(rules, new BrowserRules.Request(method, null, null, "app:8080", null)))
                    .as(method)
                    .isEqualTo(200);
            assertThat(status(rules, new BrowserRules.Request(method, "cross-site", null, "app:8080", null)))
                    .as(method)
                    .isEqualTo(403);
            assertThat(status(rules, new BrowserRules.Request(method, null, "https://evil.example", "app:8080", null)))
                    .as(method)
                    .isEqualTo(403);
        }
        assertThat(status(rules, new BrowserRules.Request("PUT", null, null, "app:8080", null)))
                .isEqualTo(405);
    }

    @Test
    void sitesThatTheApplicationHasConfiguredAreSpringsMatter() {
        assertThat(status(
                        new BrowserRules(LOCKS, true),
                        new BrowserRules.Request("DELETE", "cross-site", "https://admin.example", "app:8080", null)))
                .isEqualTo(200);
    }
}

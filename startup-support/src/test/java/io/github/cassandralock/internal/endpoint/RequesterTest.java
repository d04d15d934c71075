package io.github.cassandralock.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;

class RequesterTest {

    private static SecurityContext of(@Nullable String name) {
        return new SecurityContext() {
            @Override
            public Principal getPrincipal() {
                return () -> name;
            }

            @Override
            public boolean isUserInRole(String role) {
                return false;
            }
        };
    }

    @Test
    void requestWithoutANameHasNoRequester() {
        assertThat(Requester.of(SecurityContext.NONE)).isEmpty();
        assertThat(Requester.of(of(null))).isEmpty();
        assertThat(Requester.of(of(" "))).isEmpty();
    }

    @Test
    void nameWithVisibleCharactersStaysAsItIs() {
        assertThat(Requester.of(of("CN=Jörg Müller, OU=営業"))).contains("CN=Jörg Müller, OU=営業");
    }

    @Test
    void nameCannotBeginALineOfItsOwn() {
        assertThat(Requester.of(of("ann\r\n2026 WARN\u2028bob\u0085\u202Ecarl")))
                .contains("ann??2026 WARN?bob??carl");
    }

    @Test
    void longNameIsCut() {
        assertThat(Requester.of(of("x".repeat(100)))).contains("x".repeat(100));
        assertThat(Requester.of(of("x".repeat(101)))).contains("x".repeat(100) + "…");
    }
}

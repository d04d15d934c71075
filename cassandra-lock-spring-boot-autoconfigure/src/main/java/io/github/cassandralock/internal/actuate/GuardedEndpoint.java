package io.github.cassandralock.internal.actuate;

import java.util.Set;

/** The endpoints of this library that change something, and how browsers are refused there. */
@SuppressWarnings("ImmutableEnumChecker") // the sets cannot be modified
public enum GuardedEndpoint {

    /** {@code cassandralocks}, where locks are broken. */
    LOCKS(
            "cassandralocks",
            Set.of("DELETE"),
            "A lock is broken by a request with the method DELETE, not by a form or by another method.",
            "A page of another site has sent this request, so no lock is broken. Use the endpoint's own page."),

    /** {@code exactlyonce}, where parked messages are sent again and discarded. */
    HANDLERS(
            "exactlyonce",
            Set.of("POST", "DELETE"),
            "A parked message is sent again by POST and discarded by DELETE, not by another method.",
            "A page of another site has sent this request, so no message is sent again or discarded.");

    final String id;
    final Set<String> changing;
    final String otherMethod;
    final String otherSite;

    GuardedEndpoint(String id, Set<String> changing, String otherMethod, String otherSite) {
        this.id = id;
        this.changing = changing;
        this.otherMethod = otherMethod;
        this.otherSite = otherSite;
    }
}

package io.github.cassandralock.internal.endpoint;

import java.security.Principal;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** Who sends a request to an endpoint. The name may come from a certificate or a token, with any characters. */
public final class Requester {

    private static final int MOST_CHARACTERS = 100;

    private Requester() {}

    /**
     * Returns the name of the principal, fit for one line of a log. A question mark replaces each character without a shape, and a
     * long name is cut after {@value #MOST_CHARACTERS} characters.
     *
     * @return empty if the request has no principal, or one without a name
     */
    public static Optional<String> of(SecurityContext security) {
        return Optional.ofNullable(security.getPrincipal())
                .map(Principal::getName)
                .filter(name -> !name.isBlank())
                .map(Requester::oneLine);
    }

    private static String oneLine(String name) {
        String beginning = name.codePoints()
                .limit(MOST_CHARACTERS)
                .mapToObj(character -> hasShape(character) ? Character.toString(character) : "?")
                .collect(Collectors.joining());
        return name.codePointCount(0, name.length()) > MOST_CHARACTERS ? beginning + "…" : beginning;
    }

    private static boolean hasShape(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}

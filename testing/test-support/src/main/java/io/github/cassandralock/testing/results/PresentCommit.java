package io.github.cassandralock.testing.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The commit of the project from which results are. */
public final class PresentCommit {

    private static final String UNKNOWN = "unknown";

    private PresentCommit() {}

    /** Its id, with {@code -dirty} if files differ from it. */
    public static String text() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return commit.isEmpty() ? UNKNOWN : commit;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}

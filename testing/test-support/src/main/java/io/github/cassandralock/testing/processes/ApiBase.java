package io.github.cassandralock.testing.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The earlier commit with which the build compares the API, as a program. {@code .ci/api-base} builds its jars. */
public final class ApiBase {

    private static final Path ROOT = Path.of(System.getProperty("project.root", ".."));
    private static final Path JARS = ROOT.resolve(".mvn").resolve("api-base-jars");

    private static final String NOT_BUILT = "No earlier commit is built";

    /** The environment's variable that is {@code true} where no test may be left out. */
    private static final String CI = "CI";

    /** A module of a build, or an artifact of it. */
    private static final Pattern MODULE = Pattern.compile(".*/([a-z-]+?)(?:-\\d[^/]*\\.jar|/target/classes/?)");

    private ApiBase() {}

    /**
     * Returns the class path of this JVM, with the modules of the earlier commit in place of the present ones. Libraries and tests are
     * the present ones. The calling test fails if the earlier commit is the present one. If the earlier commit was not built, the
     * test is skipped, but fails where {@code CI} is {@code true}, as on GitHub and in {@code .ci/run}.
     */
    public static String classPath() throws IOException {
        Path commit = JARS.resolve("api-base");
        requireBuilt(commit, "true".equals(System.getenv(CI)));
        assertThat(Files.readAllLines(commit))
                .as("the base of the API, which has to be another commit than the present one")
                .doesNotContain(presentCommit());
        List<String> elements = Stream.of(
                        System.getProperty("java.class.path", "").split(File.pathSeparator))
                .map(ApiBase::ofBase)
                .toList();
        assertThat(elements)
                .as("class path of the earlier commit")
                .contains(JARS.resolve("cassandra-lock-core.jar").toString());
        return String.join(File.pathSeparator, elements);
    }

    static void requireBuilt(Path commit, boolean continuousIntegration) {
        boolean built = Files.exists(commit);
        if (continuousIntegration) {
            assertThat(built)
                    .as("%s. Run .ci/api-base first. In a shallow clone, run 'git fetch --unshallow' before", NOT_BUILT)
                    .isTrue();
        }
        assumeTrue(built, NOT_BUILT + ": run .ci/api-base");
    }

    private static String presentCommit() throws IOException {
        Process git = new ProcessBuilder("git", "-C", ROOT.toString(), "rev-parse", "HEAD").start();
        String commit = String.valueOf(git.inputReader(StandardCharsets.UTF_8).readLine());
        assertThat(commit).as("the present commit").hasSize(40);
        return commit;
    }

    private static String ofBase(String element) {
        Matcher module = MODULE.matcher(element);
        Path jar = JARS.resolve((module.matches() ? module.group(1) : "") + ".jar");
        return Files.exists(jar) ? jar.toString() : element;
    }
}

package io.github.cassandralock.testing.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
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
     * the present ones. The calling test fails if both commits have the same sources. If the earlier commit was not built, the
     * test is skipped, but fails where {@code CI} is {@code true}, as on GitHub and in {@code .ci/run}.
     *
     * @param modules what the names of the modules that the test upgrades begin with
     */
    public static String classPath(String modules) throws IOException, InterruptedException {
        Path commit = JARS.resolve("api-base");
        requireBuilt(commit, "true".equals(System.getenv(CI)));
        assertThat(hasPresentSources(ROOT, baseOf(Files.readAllLines(commit)), modules))
                .as("the sources of the API's base are the present ones, so nothing is upgraded: move .mvn/api-base")
                .isFalse();
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

    private static String baseOf(List<String> lines) {
        return lines.stream().filter(line -> !line.startsWith("#")).findFirst().orElseThrow();
    }

    /** Whether the modules whose names begin so have the sources of this commit. */
    static boolean hasPresentSources(Path root, String commit, String modules)
            throws IOException, InterruptedException {
        Process git = new ProcessBuilder(
                        "git", "-C", root.toString(), "diff", "--quiet", commit, "--", modules + "*/src/main/*")
                .start();
        int result = git.waitFor();
        assertThat(result).as("git diff --quiet " + commit).isBetween(0, 1);
        return result == 0;
    }

    private static String ofBase(String element) {
        Matcher module = MODULE.matcher(element);
        Path jar = JARS.resolve((module.matches() ? module.group(1) : "") + ".jar");
        return Files.exists(jar) ? jar.toString() : element;
    }
}

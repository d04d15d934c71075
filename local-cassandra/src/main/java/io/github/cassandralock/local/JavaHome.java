package io.github.cassandralock.local;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An installed Java.
 *
 * @param directory the value for {@code JAVA_HOME}
 * @param feature 17 for Java 17.0.15
 */
record JavaHome(Path directory, int feature) {

    private static final Pattern FEATURE = Pattern.compile("(?:1\\.)?(\\d+)");

    /** Reads the version from the {@code release} file. Empty if the directory is no Java home, or the file has no version. */
    static Optional<JavaHome> read(Path directory) {
        Path release = directory.resolve("release");
        if (!Files.isRegularFile(release) || !Files.isExecutable(executable(directory))) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
        Matcher matcher = FEATURE.matcher(
                properties.getProperty("JAVA_VERSION", "").replace("\"", "").trim());
        return matcher.lookingAt()
                ? Optional.of(new JavaHome(directory, Integer.parseInt(matcher.group(1))))
                : Optional.empty();
    }

    Path executable() {
        return executable(directory);
    }

    private static Path executable(Path home) {
        return home.resolve("bin").resolve("java");
    }
}

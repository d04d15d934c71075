package io.github.cassandralock.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** A file system of its own, in memory, that is soon full. */
public final class SmallDisk implements AutoCloseable {

    private static final String SIZE = "size=256m";
    /** Whether {@code sudo} mounts it, without a password. */
    private static final boolean SUDO = "true".equals(System.getenv("SMALL_DISK_SUDO"));

    private static final int PAGE = 4096;

    private final Path directory;
    private final Path filler;

    private SmallDisk(Path directory) {
        this.directory = directory;
        filler = directory.resolve("filler");
    }

    /** Skips the test if this process may not mount a file system. With {@code SMALL_DISK_SUDO}, the test fails instead. */
    public static SmallDisk mount(Path directory) throws IOException {
        Files.createDirectory(directory);
        String failure = failure(asRoot("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", directory.toString()));
        if (SUDO) {
            assertThat(failure)
                    .as("what the mount of a small disk by sudo wrote")
                    .isEmpty();
        }
        assumeTrue(failure.isEmpty(), () -> "no disk can be full: mount, which needs root, failed: " + failure);
        return new SmallDisk(directory);
    }

    private static String[] asRoot(String... command) {
        return SUDO ? Stream.concat(Stream.of("sudo", "-n"), Stream.of(command)).toArray(String[]::new) : command;
    }

    /** What a command wrote, or why it did not start; empty if it succeeded. */
    private static String failure(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : String.join(" ", command) + ": " + output;
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void run(String... command) {
        String failure = failure(command);
        if (!failure.isEmpty()) {
            throw new IllegalStateException(failure);
        }
    }

    /** Moves a folder to this disk, and leaves a link to it. */
    public void take(Path folder) {
        run("mv", folder.toString(), directory.toString());
        try {
            Files.createSymbolicLink(folder, directory.resolve(folder.getFileName()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes all the space that is left. */
    public void fill() {
        try (OutputStream out = Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (directory.toFile().getUsableSpace() > 0) {
                out.write(new byte[PAGE]);
            }
        } catch (IOException e) {
            if (directory.toFile().getUsableSpace() > 0) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Gives back the space that {@link #fill} took. */
    public void free() {
        try {
            Files.delete(filler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        run(asRoot("umount", directory.toString()));
    }
}

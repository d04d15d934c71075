package io.github.cassandralock.testing.processes;

import io.github.cassandralock.local.LogExcerpt;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A JVM of its own with the classes of this one, which ends with the test at the latest: the test closes it. */
public record JvmProcess(Process process, BufferedReader output, Optional<Path> log) implements AutoCloseable {

    private static final int END_SECONDS = 60;

    /** What the process says, on either way, is to be read or awaited: a full pipe stops it. */
    public static JvmProcess start(Class<?> main, List<String> arguments) throws IOException {
        return started(builder(main, arguments).redirectErrorStream(true), Optional.empty());
    }

    /**
     * What the process says, on either way, is to be read or awaited. Not for programs in one jar.
     *
     * @param options of the JVM
     * @param first what is on the class path before the classes of this JVM
     */
    public static JvmProcess startWithClasses(
            Class<?> main, List<String> arguments, List<String> options, List<Path> first) throws IOException {
        List<String> classPath =
                new ArrayList<>(first.stream().map(Path::toString).toList());
        classPath.add(System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(java());
        command.addAll(options);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main.getName()));
        command.addAll(arguments);
        return started(new ProcessBuilder(command).redirectErrorStream(true), Optional.empty());
    }

    /**
     * A process whose operating system has another name, as that of another machine. What the process says, on either way, is to be
     * read or awaited.
     */
    public static JvmProcess startOnHost(String host, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(onHost(host));
        command.addAll(builder(main, arguments).command());
        return started(new ProcessBuilder(command).redirectErrorStream(true), Optional.empty());
    }

    /** Whether this system has what {@link #startOnHost} needs: Linux, and the right to make a namespace. */
    public static boolean canNameHosts() throws InterruptedException {
        List<String> command = new ArrayList<>(onHost("another"));
        command.add("true");
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }

    private static List<String> onHost(String host) {
        return List.of("unshare", "--uts", "sh", "-c", "echo \"$0\" > /proc/sys/kernel/hostname && exec \"$@\"", host);
    }

    /** What the process says goes to the end of a file. */
    public static JvmProcess start(Class<?> main, List<String> arguments, Path log) throws IOException {
        return start(main, arguments, Map.of(), log);
    }

    /**
     * What the process says goes to the end of a file.
     *
     * @param environment variables besides this process's own
     */
    public static JvmProcess start(Class<?> main, List<String> arguments, Map<String, String> environment, Path log)
            throws IOException {
        ProcessBuilder builder = builder(main, arguments);
        builder.environment().putAll(environment);
        return started(
                builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())),
                Optional.of(log));
    }

    /**
     * A process with a class path of its own. What it writes goes to the end of a file.
     *
     * @param environment variables besides this process's own
     */
    public static JvmProcess start(
            String classPath, Class<?> main, List<String> arguments, Map<String, String> environment, Path log)
            throws IOException {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return started(
                builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())),
                Optional.of(log));
    }

    /**
     * What the process writes to its standard output is to be read; its standard error goes to the end of a file.
     *
     * @param environment variables besides this process's own
     */
    public static JvmProcess startWithOutput(
            Class<?> main, List<String> arguments, Map<String, String> environment, Path errors) throws IOException {
        ProcessBuilder builder = builder(main, arguments);
        builder.environment().putAll(environment);
        return started(builder.redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile())), Optional.of(errors));
    }

    /** Starts a process as {@link #startWithOutput} does, with this class path alone. */
    public static JvmProcess startWithClassPath(
            List<Path> classPath, Class<?> main, List<String> arguments, Map<String, String> environment, Path errors)
            throws IOException {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of("-cp", joined(classPath), main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return started(builder.redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile())), Optional.of(errors));
    }

    private static String joined(List<Path> classPath) {
        return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static JvmProcess started(ProcessBuilder builder, Optional<Path> log) throws IOException {
        Process process = builder.start();
        return new JvmProcess(process, process.inputReader(StandardCharsets.UTF_8), log);
    }

    private static ProcessBuilder builder(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(java());
        command.addAll(program(main));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    private static List<String> java() {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx384m");
    }

    /** From where a build has its classes, or from this program's jar, whose manifest names the main class. */
    private static List<String> program(Class<?> main) {
        String classPath = System.getProperty("java.class.path");
        boolean isNestedInAJar = main.getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getProtocol()
                .equals("jar");
        return isNestedInAJar ? List.of("-jar", classPath) : List.of("-cp", classPath, main.getName());
    }

    /** The last that it wrote to its log. */
    public String endOfLog() {
        return log.map(file -> LogExcerpt.read(file, 0).toString()).orElse("(it has no log)");
    }

    /** Returns the next line of the process's output that begins so; fails if the process ends before it comes. */
    public String awaitLine(String beginning) throws IOException {
        StringBuilder before = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(beginning)) {
                return line;
            }
            before.append(line).append('\n');
        }
        throw new IllegalStateException("The process ended before it said '" + beginning + "':\n" + before);
    }

    /** SIGSTOP: the whole process is paused until {@link #resume()}. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + exit);
        }
    }

    /** Ends its standard input, which asks it to end. */
    public void askToEnd() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
    }

    /** Asks it to end, and returns when it has. */
    public void stop() throws IOException, InterruptedException {
        askToEnd();
        awaitEnd();
    }

    /** SIGTERM; returns when the process has ended. Its standard input stays open: the end of that is another request to end. */
    public void terminate() throws InterruptedException {
        process.toHandle().destroy();
        awaitEnd();
    }

    /** Whether it ends within so many milliseconds. */
    public boolean endsWithin(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    private void awaitEnd() throws InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("process " + process.pid() + " did not end within " + END_SECONDS + " s");
        }
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + process.pid() + " survived SIGKILL");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}

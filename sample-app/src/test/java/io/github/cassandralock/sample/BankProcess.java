package io.github.cassandralock.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bank in a JVM of its own. */
record BankProcess(Process process, int port) implements AutoCloseable {

    private static final Pattern OPEN = Pattern.compile("The bank is open on port (\\d+)\\.");
    private static final int BOUND_SECONDS = 60;

    /** Returns when the bank is open. */
    static BankProcess start(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SampleApplication.class.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            return new BankProcess(process, openPort(process).get(BOUND_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException("The second bank did not open", e);
        }
    }

    /** Reads the process's output for as long as it lives. */
    private static CompletableFuture<Integer> openPort(Process process) {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            System.out.println("second | " + line);
                            Matcher open = OPEN.matcher(line);
                            if (open.find()) {
                                port.complete(Integer.valueOf(open.group(1)));
                            }
                        }
                        port.completeExceptionally(new IllegalStateException("the process ended"));
                    } catch (IOException e) {
                        port.completeExceptionally(e);
                    }
                },
                "second-bank-output");
        reader.setDaemon(true);
        reader.start();
        return port;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("The second bank did not end");
        }
    }
}

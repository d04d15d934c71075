package io.github.cassandralock.sample;

import static org.awaitility.Awaitility.await;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** An instance in a JVM of its own, which uses the Cassandra of another instance. */
record BankProcess(JvmProcess process, BankInstance bank) {

    private static final Pattern OPEN = Pattern.compile("The bank is open on port (\\d+)\\.");

    /**
     * Starts it, and returns when it is open.
     *
     * @param settings in the words of the command line
     */
    static BankProcess start(HttpClient http, String contactPoints, String... settings) throws IOException {
        Path log = Files.createTempFile("bank-", ".log");
        log.toFile().deleteOnExit();
        List<String> arguments = new ArrayList<>(List.of(settings));
        arguments.add("--server.port=0");
        arguments.add("--spring.cassandra.contact-points=" + contactPoints);
        JvmProcess process = JvmProcess.start(SampleApplication.class, arguments, log);
        return new BankProcess(process, new BankInstance(http, openPort(process, log)));
    }

    private static int openPort(JvmProcess process, Path log) {
        return await("a bank in a process of its own")
                .atMost(Duration.ofMinutes(1))
                .failFast(() -> {
                    if (!process.process().isAlive()) {
                        throw new IllegalStateException("The bank did not open:\n" + process.endOfLog());
                    }
                })
                .until(
                        () -> OPEN.matcher(Files.readString(log))
                                .results()
                                .map(open -> Integer.valueOf(open.group(1)))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }
}

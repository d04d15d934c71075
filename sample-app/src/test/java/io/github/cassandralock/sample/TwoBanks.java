package io.github.cassandralock.sample;

import static org.awaitility.Awaitility.await;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.boot.autoconfigure.cassandra.CassandraConnectionDetails;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Two instances for all tests of a run: the first, in this JVM, starts a Cassandra of its own, as it does without
 * configuration; the second, in another JVM, uses the same.
 *
 * @param context the first one's
 */
record TwoBanks(ConfigurableApplicationContext context, JvmProcess process, BankInstance first, BankInstance second)
        implements AutoCloseable {

    private static final Pattern OPEN = Pattern.compile("The bank is open on port (\\d+)\\.");

    /** Starts them once; they end with the run. */
    static final class Resolver implements ParameterResolver {

        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(TwoBanks.class);

        private record Kept(TwoBanks banks) implements ExtensionContext.Store.CloseableResource, AutoCloseable {

            @Override
            public void close() throws InterruptedException {
                banks.close();
            }
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == TwoBanks.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(NAMESPACE)
                    .getOrComputeIfAbsent(Kept.class, key -> new Kept(TwoBanks.open()), Kept.class)
                    .banks();
        }
    }

    private static TwoBanks open() {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
                .registerShutdownHook(false)
                .run("--server.port=0", "--bank.closing.period=1s", "--bank.closing.check=100ms");
        try {
            Path log = Files.createTempFile("second-bank-", ".log");
            log.toFile().deleteOnExit();
            JvmProcess process = JvmProcess.start(
                    SampleApplication.class,
                    List.of(
                            "--server.port=0",
                            "--bank.closing.period=1s",
                            "--bank.closing.check=150ms",
                            "--spring.cassandra.contact-points=" + contactPoints(context)),
                    log);
            HttpClient http = HttpClient.newHttpClient();
            return new TwoBanks(
                    context,
                    process,
                    new BankInstance(http, context.getBean(Instance.class).port()),
                    new BankInstance(http, openPort(process, log)));
        } catch (IOException | RuntimeException e) {
            context.close();
            throw new IllegalStateException(e);
        }
    }

    private static int openPort(JvmProcess process, Path log) {
        return await("the second bank")
                .atMost(Duration.ofMinutes(1))
                .failFast(() -> {
                    if (!process.process().isAlive()) {
                        throw new IllegalStateException("The second bank did not open:\n" + process.endOfLog());
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

    static String contactPoints(ConfigurableApplicationContext context) {
        return context.getBean(CassandraConnectionDetails.class).getContactPoints().stream()
                .map(node -> node.host() + ":" + node.port())
                .collect(Collectors.joining(","));
    }

    @Override
    public void close() throws InterruptedException {
        try {
            process.terminate();
        } finally {
            context.close();
        }
    }
}

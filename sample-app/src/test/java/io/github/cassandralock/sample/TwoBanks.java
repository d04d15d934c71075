package io.github.cassandralock.sample;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.net.http.HttpClient;
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
            HttpClient http = HttpClient.newHttpClient();
            BankProcess other = BankProcess.start(
                    http, contactPoints(context), "--bank.closing.period=1s", "--bank.closing.check=150ms");
            BankInstance first =
                    new BankInstance(http, context.getBean(Instance.class).port());
            return new TwoBanks(context, other.process(), first, other.bank());
        } catch (IOException | RuntimeException e) {
            context.close();
            throw new IllegalStateException(e);
        }
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

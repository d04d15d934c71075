package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * An application that Spring has processed ahead of time, as before a native image: its generated sources are compiled, and it
 * starts from them. Costs two JVMs and a compilation for each start. Catches a bean or a condition that the processing loses.
 */
@ExtendWith(SharedCassandra.class)
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AotIT {

    @TempDir
    Path directory;

    private final CassandraCluster cluster;

    AotIT(CassandraCluster cluster) {
        this.cluster = cluster;
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
    }

    @ParameterizedTest
    @CsvSource({"eager, main, []", "lazy, billing, [true]"})
    void processedApplicationTakesLocks(String startup, String locker, String lockers)
            throws IOException, InterruptedException {
        List<String> arguments = cluster.arguments();
        arguments.addAll(List.of(
                "--spring.cassandra.keyspace-name=" + Application.KEYSPACE,
                "--cassandra-lock.clock-drift=2%",
                "--cassandra-lock.startup=" + startup,
                locker.equals("main") ? "" : "--cassandra-lock.lockers." + locker + ".prefix=billing:"));
        process(arguments);
        compile();
        try (JvmProcess processed = JvmProcess.startWithClasses(
                AotApplication.class,
                arguments,
                List.of("-Dspring.aot.enabled=true"),
                List.of(classes(), resources()))) {
            assertThat(processed.awaitLine(AotApplication.RAN))
                    .isEqualTo(AotApplication.RAN + "run:nightly, held: true, processed: true, lockers: " + lockers);
        }
    }

    private Path sources() {
        return directory.resolve("sources");
    }

    private Path classes() {
        return directory.resolve("classes");
    }

    private Path resources() {
        return directory.resolve("resources");
    }

    private void process(List<String> applicationArguments) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                AotApplication.class.getName(),
                sources().toString(),
                resources().toString(),
                classes().toString(),
                "io.github.cassandralock",
                "aot-application"));
        arguments.addAll(applicationArguments);
        try (JvmProcess processor = JvmProcess.start(SpringApplicationAotProcessor.class, arguments)) {
            String said = processor.output().lines().collect(Collectors.joining("\n"));
            assertThat(processor.endsWithin(60_000)).isTrue();
            assertThat(processor.process().exitValue()).as(said).isZero();
        }
    }

    private void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        Files.createDirectories(classes());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(sources())) {
            List<Path> generated =
                    all.filter(file -> file.toString().endsWith(".java")).toList();
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-d",
                                    classes().toString(),
                                    "-cp",
                                    classes() + File.pathSeparator + System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjectsFromPaths(generated))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }
}

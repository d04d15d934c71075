package io.github.cassandralock.benchmarks.startup;

import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.testing.processes.JvmProcess;
import io.github.cassandralock.testing.statistics.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures how long an application takes to start with this project's starter, and without it. The starter's jars are last on the
 * class path, as in a Maven build that declares the starter last. The order matters: each class is looked up in all earlier jars.
 * For one thread.
 */
public final class ApplicationStarts {

    /** What is on the class path, and whether the application reads a row before it is ready. */
    public enum Application {
        /** {@code spring-boot-starter-data-cassandra}. */
        ALONE("Spring Data Cassandra alone", true),
        /** This project's starter, which depends on {@code spring-boot-starter-data-cassandra}. */
        WITH_STARTER("with the starter", true),
        /** Also has {@code spring-boot-starter-web} and {@code spring-boot-starter-actuator}. */
        WEB("web application with Actuator and Spring Data Cassandra", true),
        /** The web application with this project's starter. */
        WEB_WITH_STARTER("web application, with the starter", true),
        /** Without a read: Spring Boot creates no session before the first use. */
        UNCONNECTED("Spring Data Cassandra alone, without a session", false),
        /** The locks connect in the background, when the application has its beans. */
        LAZY("with the starter, cassandra-lock.startup=lazy", false);

        private final String title;
        private final boolean connects;

        Application(String title, boolean connects) {
            this.title = title;
            this.connects = connects;
        }

        private Application withoutStarter() {
            return switch (this) {
                case ALONE, WITH_STARTER -> ALONE;
                case WEB, WEB_WITH_STARTER -> WEB;
                case UNCONNECTED, LAZY -> UNCONNECTED;
            };
        }

        private List<Pattern> libraries() {
            return switch (this) {
                case ALONE, UNCONNECTED -> List.of(CLASSES, CASSANDRA);
                case WITH_STARTER, LAZY -> List.of(CLASSES, CASSANDRA, STARTER);
                case WEB -> List.of(CLASSES, CASSANDRA, WEB_LIBRARIES);
                case WEB_WITH_STARTER -> List.of(CLASSES, CASSANDRA, WEB_LIBRARIES, STARTER);
            };
        }
    }

    /**
     * A row of {@code start.json}.
     *
     * @param medianMs from the start of the process until the application is ready
     * @param cpuMs the median of the computing time until then, which other load on the machine changes little
     * @param beans the number of its bean definitions
     * @param ratio to the median without the starter
     */
    public record StartRow(
            String application,
            double medianMs,
            double fastestMs,
            double slowestMs,
            double cpuMs,
            long beans,
            double ratio) {}

    private static final Pattern CLASSES = Pattern.compile(".*/(BOOT-INF|benchmarks/target)/classes");

    private static final Pattern CASSANDRA = Pattern.compile(
            ".*/(spring-(boot|boot-autoconfigure|core|jcl|beans|context|expression|aop|tx|data-cassandra|data-commons)"
                    + "|java-driver-[a-z-]+|native-protocol|config|metrics-core|HdrHistogram|reactive-streams"
                    + "|netty-(buffer|codec|common|handler|resolver|transport|transport-native-unix-common)"
                    + "|jnr-[a-z0-9-]+|jffi|asm[a-z-]*|jackson-(annotations|core|databind)|jakarta.annotation-api"
                    + "|slf4j-api|logback-[a-z]+|log4j-[a-z0-9-]+|jul-to-slf4j|snakeyaml|micrometer-(commons|observation))"
                    + "-[0-9][^/]*jar");

    private static final Pattern WEB_LIBRARIES = Pattern.compile(
            ".*/(spring-(web|webmvc|boot-actuator|boot-actuator-autoconfigure)|tomcat-embed-[a-z]+|LatencyUtils"
                    + "|micrometer-(core|jakarta9)|jackson-(datatype-jdk8|datatype-jsr310|module-parameter-names))"
                    + "-[0-9][^/]*jar");

    private static final Pattern STARTER = Pattern.compile(
            ".*/(cassandra-lock-(core|adapters|spring-boot-autoconfigure|spring-boot-starter)|startup-support)"
                    + "(-[0-9][^/]*jar|/target/classes)|.*/(aspectjweaver|jspecify)-[^/]*jar");

    private final CassandraAddress cassandra;
    private final Map<Application, List<Path>> classPaths = new EnumMap<>(Application.class);
    private final Path logs;

    /**
     * Finds the class paths.
     *
     * @param unpacked where this program is unpacked if it is one jar
     * @param logs the folder of what the applications say
     */
    public ApplicationStarts(CassandraAddress cassandra, Path unpacked, Path logs) throws IOException {
        this.cassandra = cassandra;
        this.logs = logs;
        List<Path> all = ProgramClassPath.present(unpacked);
        for (Application application : Application.values()) {
            classPaths.put(
                    application,
                    application.libraries().stream()
                            .flatMap(part -> matching(all, part))
                            .toList());
        }
    }

    private static Stream<Path> matching(List<Path> all, Pattern pattern) {
        return all.stream().filter(path -> pattern.matcher(path.toString()).matches());
    }

    /**
     * Starts the applications in turns.
     *
     * @param warmUp how often before the starts that count, at least once: the first start creates the tables
     * @param runs how often
     * @return a row for each application
     */
    public List<StartRow> measure(int warmUp, int runs) throws Exception {
        Map<Application, List<Started>> all = new EnumMap<>(Application.class);
        for (int run = 0; run < warmUp + runs; run++) {
            for (Application application : Application.values()) {
                Started started = start(application);
                List<Started> counted = all.computeIfAbsent(application, any -> new ArrayList<>());
                if (run >= warmUp) {
                    counted.add(started);
                    System.out.printf("%s: %.0f ms%n", application.title, started.millis());
                }
            }
        }
        return all.keySet().stream().map(application -> row(application, all)).toList();
    }

    private static StartRow row(Application application, Map<Application, List<Started>> all) {
        List<Double> millis = of(all, application, Started::millis);
        double median = Median.of(millis);
        return new StartRow(
                application.title,
                median,
                Collections.min(millis),
                Collections.max(millis),
                Median.of(of(all, application, Started::cpuMillis)),
                Math.round(Median.of(of(all, application, Started::beans))),
                median / Median.of(of(all, application.withoutStarter(), Started::millis)));
    }

    private static List<Double> of(
            Map<Application, List<Started>> all, Application application, ToDoubleFunction<Started> figure) {
        return all.getOrDefault(application, List.of()).stream()
                .map(figure::applyAsDouble)
                .toList();
    }

    private record Started(double millis, double cpuMillis, double beans) {}

    private Started start(Application application) throws IOException, InterruptedException {
        long began = System.nanoTime();
        try (JvmProcess process = JvmProcess.startWithClassPath(
                classPaths.getOrDefault(application, List.of()),
                StartedApplication.class,
                List.of(
                        "--spring.cassandra.contact-points=" + CassandraAddress.text(List.of(cassandra)),
                        "--spring.cassandra.local-datacenter=" + CassandraAddress.DATACENTER,
                        "--spring.cassandra.keyspace-name=" + CassandraAddress.KEYSPACE,
                        "--spring.cassandra.request.timeout=10s",
                        "--server.port=0",
                        "--connects=" + application.connects,
                        "--cassandra-lock.startup=" + (application.connects ? "eager" : "lazy")),
                Map.of(),
                logs.resolve("start.log"))) {
            String line = process.awaitLine(StartedApplication.READY);
            long ready = System.nanoTime();
            Duration cpu = process.process().info().totalCpuDuration().orElse(Duration.ZERO);
            process.stop();
            return new Started(
                    (ready - began) / 1e6,
                    cpu.toNanos() / 1e6,
                    Double.parseDouble(line.substring(StartedApplication.READY.length())));
        }
    }
}

package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.builder.CloseableLocker;
import io.github.cassandralock.builder.RemoteLockerBuilder;
import io.github.cassandralock.cassandra.NoticeOptions;
import io.github.cassandralock.cassandra.SchemaAction;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lockers without Spring on a real Cassandra: the program of the guide in a JVM of its own, and what a locker closes. Costs some seconds.
 * Catches classes that need Spring, and threads, ports or sessions that are left, or closed though they are the caller's.
 */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PlainJavaIT {

    private static final Path GUIDE = Path.of("..", "docs", "guide", "plain-java.md");
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final String KEYSPACE = "plain_java";
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());

    private static CqlSession session(CassandraCluster cluster) {
        return CqlSession.builder()
                .addContactPoint(CassandraCluster.address(node(cluster)))
                .withLocalDatacenter(cluster.localDatacenter())
                .build();
    }

    private static String node(CassandraCluster cluster) {
        return cluster.contactPoints().replaceFirst(",.*", "");
    }

    private static void createKeyspace(CqlSession session) {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + KEYSPACE
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    private static RemoteLockerBuilder locker(CqlSession session) {
        return RemoteLockerBuilder.on(session).keyspace(KEYSPACE).lease(Duration.ofSeconds(4));
    }

    /** Of this JVM, without Spring and what is this project's and has it. */
    private static List<String> classPath() {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(entry -> !entry.contains("spring"))
                .filter(entry -> !entry.contains("cassandra-lock-test"))
                .filter(entry -> !entry.contains("integration-tests") && !entry.contains("test-support"))
                .toList();
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void programOfTheGuideTakesALockInAJvmWithoutSpring(CassandraCluster cluster, @TempDir Path folder)
            throws IOException, InterruptedException {
        try (CqlSession session = session(cluster)) {
            createKeyspace(session);
        }
        List<String> classPath = classPath();
        requireNoSpring(classPath);
        Path source = folder.resolve("PlainJava.java");
        Matcher program = PROGRAM.matcher(Files.readString(GUIDE));
        assertThat(program.find()).as("a program in " + GUIDE).isTrue();
        Files.writeString(source, program.group(1));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", String.join(File.pathSeparator, classPath), source.toString());
        assertThat(compiled).as("exit code of the compiler").isZero();

        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        folder + File.pathSeparator + String.join(File.pathSeparator, classPath),
                        "PlainJava",
                        node(cluster),
                        cluster.localDatacenter(),
                        KEYSPACE)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output, StandardCharsets.UTF_8)).contains("Locked with the fencing token ");
        assertThat(process.exitValue()).isZero();
    }

    private static void requireNoSpring(List<String> classPath) throws IOException {
        URL[] urls = classPath.stream().map(PlainJavaIT::url).toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> loader.loadClass("org.springframework.core.SpringVersion"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    @Test
    void lockersExcludeEachOtherAndCloseWhatIsTheirsAlone(CassandraCluster cluster) {
        try (CqlSession session = session(cluster)) {
            createKeyspace(session);
            CloseableLocker one = locker(session)
                    .notices(NoticeOptions.atPort(0).withBindAddress("127.0.0.1"))
                    .build();
            try (CloseableLocker other = locker(session)
                    .notices(NoticeOptions.atPort(0).withBindAddress("127.0.0.1"))
                    .schemaAction(SchemaAction.VALIDATE)
                    .build()) {
                RemoteLock held = one.getLock("closing");
                assertThat(other.tryGetLock("closing")).isEmpty();
                one.close();
                one.close();
                assertThat(held.isHeld()).isFalse();
                try (RemoteLock next = other.getLock("closing", SOON)) {
                    assertThat(next.isHeld()).isTrue();
                }
            }
            await().atMost(SOON).untilAsserted(() -> assertThat(threads()).isEmpty());
            assertThat(session.isClosed()).isFalse();
        }
    }

    @Test
    void lockerThatCannotBeMadeLeavesNothing(CassandraCluster cluster) {
        try (CqlSession session = session(cluster)) {
            createKeyspace(session);
            assertThatThrownBy(() -> RemoteLockerBuilder.on(session)
                            .keyspace("nowhere_at_all")
                            .notices(NoticeOptions.atPort(0).withBindAddress("127.0.0.1"))
                            .build())
                    .hasMessageContaining("nowhere_at_all");
            assertThatThrownBy(() -> locker(session)
                            .notices(NoticeOptions.atPort(70_000))
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("notices.port");
            await().atMost(SOON).untilAsserted(() -> assertThat(threads()).isEmpty());
            assertThat(session.isClosed()).isFalse();
        }
    }

    /** Threads of lockers that began in this test. Other tests of this JVM may have left contexts open. */
    private List<String> threads() {
        Set<Thread> present = new HashSet<>(Thread.getAllStackTraces().keySet());
        present.removeAll(before);
        return present.stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("cassandra-lock-"))
                .toList();
    }
}

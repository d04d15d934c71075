package io.github.cassandralock.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The files of one node, which writes nothing elsewhere.
 *
 * @param root absolute
 */
record NodeDirectory(Path root) {

    private static final String LOGBACK = """
            <configuration>
              <statusListener class="ch.qos.logback.core.status.NopStatusListener"/>
              <appender name="node" class="ch.qos.logback.core.ConsoleAppender">
                <target>System.err</target>
                <encoder>
                  <pattern>%-5level [%thread] %date{ISO8601} %logger{0}:%line - %msg%n</pattern>
                </encoder>
              </appender>
              <root level="INFO">
                <appender-ref ref="node"/>
              </root>
            </configuration>
            """;

    /** Standard error of the process: the node's own log, and messages of a crashing JVM. */
    Path logFile() {
        return root.resolve("node.log");
    }

    Path yamlFile() {
        return root.resolve("cassandra.yaml");
    }

    Path logbackFile() {
        return root.resolve("logback.xml");
    }

    Path classes() {
        return root.resolve("classes");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    Path storage() {
        return root.resolve("storage");
    }

    String data(String kind) {
        return storage().resolve(kind).toString();
    }

    /** Writes all files that the node reads. */
    void prepare(NodeConfiguration configuration) {
        try {
            Files.createDirectories(storage());
            Files.createDirectories(temporary());
            Files.writeString(yamlFile(), configuration.yaml());
            Files.writeString(logbackFile(), LOGBACK);
            copyMainClass();
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot write a node's files into " + root, e);
        }
    }

    /** A copy, because the application's jar may have nested jars, which a plain JVM cannot read. */
    private void copyMainClass() throws IOException {
        String resource = NodeMain.class.getName().replace('.', '/') + ".class";
        Path target = classes().resolve(resource);
        Files.createDirectories(target.resolveSibling("."));
        try (InputStream in = NodeMain.class.getResourceAsStream("/" + resource)) {
            if (in == null) {
                throw new LocalCassandraException("The class file of " + NodeMain.class.getName() + " is missing");
            }
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}

package io.github.cassandralock.local;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The Cassandra version that this module starts. The build writes it into a resource, from its one place in the parent POM. */
final class CassandraVersion {

    private static final String RESOURCE = "cassandra.properties";

    private CassandraVersion() {}

    static String current() {
        Properties properties = new Properties();
        try (InputStream in = CassandraVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new LocalCassandraException("The resource " + RESOURCE + " is missing from local-cassandra");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot read the resource " + RESOURCE, e);
        }
        String version = properties.getProperty("version", "");
        if (version.isEmpty() || version.startsWith("$")) {
            throw new LocalCassandraException(
                    "The resource " + RESOURCE + " names no Cassandra version: build this module with Maven");
        }
        return version;
    }
}

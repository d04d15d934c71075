package io.github.cassandralock.testing.applications;

import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several instances of one application, in this JVM, with a keyspace of their own. */
public record Instances(List<Application> all) implements AutoCloseable {

    public static Instances start(
            int count, CassandraCluster cluster, String keyspace, List<Class<?>> configurations, String... arguments) {
        Application.createKeyspace(cluster, keyspace, 1);
        List<String> allArguments = cluster.arguments();
        allArguments.add("--spring.cassandra.keyspace-name=" + keyspace);
        allArguments.addAll(Arrays.asList(arguments));
        List<Class<?>> allConfigurations = new ArrayList<>(configurations);
        allConfigurations.add(Application.Configuration.class);
        Instances instances = new Instances(new ArrayList<>());
        for (int i = 0; i < count; i++) {
            instances.all.add(Application.run(allConfigurations, allArguments));
        }
        return instances;
    }

    public Application get(int index) {
        return all.get(index % all.size());
    }

    @Override
    public void close() {
        all.forEach(Application::close);
    }
}

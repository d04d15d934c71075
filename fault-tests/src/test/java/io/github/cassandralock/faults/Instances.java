package io.github.cassandralock.faults;

import io.github.cassandralock.it.Application;
import io.github.cassandralock.it.CassandraCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Several instances of one application, in this JVM, with a keyspace of their own. */
record Instances(List<Application> all) implements AutoCloseable {

    static Instances start(
            int count, CassandraCluster cluster, String keyspace, List<Class<?>> configurations, String... arguments) {
        Application.createKeyspace(cluster, keyspace, 1);
        List<String> allArguments = cluster.arguments();
        allArguments.add("--spring.cassandra.keyspace-name=" + keyspace);
        allArguments.addAll(Arrays.asList(arguments));
        List<Class<?>> allConfigurations = new ArrayList<>(configurations);
        allConfigurations.add(Application.Configuration.class);
        // at the same time, as in a roll-out: a start is mostly waiting
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            Callable<Application> start = () -> Application.run(allConfigurations, allArguments);
            List<Future<Application>> starts =
                    Stream.generate(() -> threads.submit(start)).limit(count).toList();
            return new Instances(starts.stream().map(Instances::started).toList());
        } finally {
            threads.shutdown();
        }
    }

    private static Application started(Future<Application> start) {
        try {
            return start.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("An instance did not start", e);
        }
    }

    Application get(int index) {
        return all.get(index % all.size());
    }

    @Override
    public void close() {
        all.forEach(Application::close);
    }
}

package io.github.cassandralock.local;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the cluster that a builder describes. */
final class ClusterLauncher {

    private static final Logger log = LoggerFactory.getLogger(ClusterLauncher.class);
    private static final int ATTEMPTS = 3;

    private final LocalCassandraBuilder plan;
    private final LoopbackAddresses loopback = new LoopbackAddresses(new SecureRandom());
    private final Map<String, NodeClassPath> classPaths = new ConcurrentHashMap<>();

    /** Options of every node's JVM, separated by spaces. Nodes do not get the parent's {@code JAVA_TOOL_OPTIONS}. */
    static final String JVM_OPTIONS = "LOCAL_CASSANDRA_JVM_OPTIONS";

    ClusterLauncher(LocalCassandraBuilder plan) {
        this.plan = plan;
    }

    LocalCassandra launch() {
        JavaHome java = JavaHomeSearch.onThisMachine().find();
        // Resolved first: without its jars, a node needs no directory.
        IntStream.rangeClosed(1, plan.nodes())
                .mapToObj(number -> plan.options(number).version())
                .forEach(this::classPath);
        WorkDirectory work = plan.openWorkDirectory();
        for (int attempt = 1; ; attempt++) {
            LocalCassandra cluster = assemble(java, work);
            try {
                cluster.startNodes(
                        plan.closeOnShutdown(), number -> !plan.options(number).joinsLater());
                return cluster;
            } catch (AddressTakenException e) {
                cluster.endNodes();
                if (attempt == ATTEMPTS) {
                    work.keep();
                    throw e;
                }
                log.info("An address was taken before the node could bind it; trying others", e);
                work.clear();
            } catch (RuntimeException e) {
                cluster.endNodes();
                work.keep();
                throw e;
            }
        }
    }

    private static List<String> jvmOptionsOfEnvironment() {
        String options = System.getenv().getOrDefault(JVM_OPTIONS, "").strip();
        return options.isEmpty() ? List.of() : List.of(options.split("\\s+"));
    }

    private NodeClassPath classPath(String version) {
        return classPaths.computeIfAbsent(version, NodeClassPath::resolve);
    }

    private LocalCassandra assemble(JavaHome java, WorkDirectory work) {
        ClusterAddresses addresses = loopback.choose(plan.nodes());
        ClusterViews views = new ClusterViews();
        List<LocalNode> nodes = IntStream.rangeClosed(1, plan.nodes())
                .mapToObj(number -> new LocalNode(launch(number, addresses, java, work, plan.options(number)), views))
                .toList();
        return new LocalCassandra(nodes, work);
    }

    private NodeLaunch launch(
            int number, ClusterAddresses addresses, JavaHome java, WorkDirectory work, NodeOptions options) {
        NodeDirectory directory = work.node(number);
        NodeCommand command =
                new NodeCommand(java, classPath(options.version()), plan.heap(), jvmOptionsOfEnvironment());
        directory.prepare(new NodeConfiguration(addresses, number, directory, plan.flushEachWrite(), options.config()));
        return new NodeLaunch(
                number,
                plan.nodes(),
                addresses.nativeAddress(number),
                directory,
                command.words(directory, options),
                options.environment(),
                plan.startTimeout(),
                changes -> launch(number, addresses, java, work, options.with(changes)));
    }
}

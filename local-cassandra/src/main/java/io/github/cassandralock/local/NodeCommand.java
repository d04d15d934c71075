package io.github.cassandralock.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command line of a node's process. */
final class NodeCommand {

    /** Packages that Cassandra 5.0 needs on Java 17, as in its own start script. */
    private static final List<String> EXPORTS = List.of(
            "java.base/jdk.internal.misc",
            "java.base/java.lang.ref",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.sql/java.sql",
            "jdk.attach/sun.tools.attach",
            "jdk.compiler/com.sun.tools.javac.file",
            "jdk.unsupported/sun.misc");

    private static final List<String> OPENS = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.lang.module",
            "java.base/java.lang.reflect",
            "java.base/java.util",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.util.jar",
            "java.base/sun.nio.ch",
            "jdk.compiler/com.sun.tools.javac",
            "jdk.management/com.sun.management.internal");

    /** Packages with objects that Cassandra 4.1 measures field by field. It was not made for Java 17; with these it runs there. */
    private static final List<String> MEASURED = List.of(
            "java.base/java.lang.invoke",
            "java.base/java.lang.ref",
            "java.base/java.math",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.nio.channels",
            "java.base/java.nio.charset",
            "java.base/java.nio.file",
            "java.base/java.security",
            "java.base/java.text",
            "java.base/java.time",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/java.util.concurrent.locks",
            "java.base/java.util.function",
            "java.base/java.util.regex",
            "java.base/java.util.stream",
            "java.base/java.util.zip",
            "java.base/jdk.internal.misc",
            "java.base/jdk.internal.perf",
            "java.base/sun.nio.fs",
            "java.base/sun.security.provider",
            "java.base/sun.util.calendar");

    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("java.awt.headless", "true"),
            Map.entry("java.net.preferIPv4Stack", "true"),
            Map.entry("jdk.attach.allowAttachSelf", "true"),
            Map.entry("io.netty.tryReflectionSetAccessible", "true"),
            Map.entry("io.netty.allocator.useCacheForAllThreads", "true"),
            Map.entry("io.netty.allocator.maxOrder", "11"),
            // Keeps standard error open, which is the log.
            Map.entry("cassandra-foreground", "true"),
            // All nodes are new or listed as seeds, and on one machine: nothing to settle, little to wait for.
            Map.entry("cassandra.skip_wait_for_gossip_to_settle", "0"),
            Map.entry("cassandra.ring_delay_ms", "2000"),
            Map.entry("cassandra.shutdown_announce_in_ms", "200"),
            Map.entry("cassandra.superuser_setup_delay_ms", "0"),
            // A node that has missed a change of the schema requests it at once, not after a minute.
            Map.entry("cassandra.migration_delay_ms", "0"),
            // Of the values tried, the one with the highest throughput of three nodes on two processors.
            Map.entry(NodeMain.TIMER_SLACK, "200000"));

    private final JavaHome java;
    private final NodeClassPath classPath;
    private final String heap;
    private final List<String> commonOptions;

    /**
     * @param heap as after {@code -Xmx}
     * @param commonOptions of every node's JVM, before the node's own options
     */
    NodeCommand(JavaHome java, NodeClassPath classPath, String heap, List<String> commonOptions) {
        this.java = java;
        this.classPath = classPath;
        this.heap = heap;
        this.commonOptions = commonOptions;
    }

    List<String> words(NodeDirectory directory, NodeOptions options) {
        List<String> words = new ArrayList<>(options.commandPrefix());
        words.add(java.executable().toString());
        addJvmOptions(words);
        EXPORTS.forEach(name -> words.add("--add-exports=" + name + "=ALL-UNNAMED"));
        OPENS.forEach(name -> words.add("--add-opens=" + name + "=ALL-UNNAMED"));
        MEASURED.forEach(name -> words.add("--add-opens=" + name + "=ALL-UNNAMED"));
        PROPERTIES.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> words.add("-D" + entry.getKey() + "=" + entry.getValue()));
        addPaths(words, directory);
        words.addAll(commonOptions);
        words.addAll(options.jvmOptions());
        words.add("-cp");
        words.add(classPath.asOption(directory.classes()));
        words.add(NodeMain.class.getName());
        return words;
    }

    private void addJvmOptions(List<String> words) {
        words.add("-Xmx" + heap);
        words.add("-Xss512k");
        words.add("-XX:+UseG1GC");
        words.add("-XX:MaxDirectMemorySize=256m");
        words.add("-XX:+ExitOnOutOfMemoryError");
        words.add("-XX:+PerfDisableSharedMem");
        // Standard output is for the reports; output of the JVM itself goes to the log.
        words.add("-XX:+DisplayVMOutputToStderr");
        words.add("-ea");
        words.add("-da:net.openhft...");
        // Cassandra measures its objects by this agent.
        words.add("-javaagent:" + classPath.jar("jamm"));
    }

    private static void addPaths(List<String> words, NodeDirectory directory) {
        words.add("-Dcassandra.config=" + directory.yamlFile().toUri());
        words.add("-Dcassandra.storagedir=" + directory.storage());
        words.add("-Dlogback.configurationFile=" + directory.logbackFile());
        // Native libraries are unpacked there, and deleted with the directory.
        words.add("-Djava.io.tmpdir=" + directory.temporary());
    }
}

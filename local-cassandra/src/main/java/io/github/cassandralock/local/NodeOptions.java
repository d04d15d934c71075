package io.github.cassandralock.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a node beyond the defaults, set by {@link LocalCassandraBuilder#eachNode} and {@link LocalCassandraBuilder#node}.
 * Options of a single node override the options of every node. Not thread-safe.
 */
public final class NodeOptions {

    private final Map<String, Object> config = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> commandPrefix = new ArrayList<>();
    private @Nullable String version;
    private boolean joinsLater;

    NodeOptions() {}

    /**
     * Sets one top-level key of {@code cassandra.yaml}.
     *
     * @param value a string, number, boolean, list or map; a map is merged with a default that is a map, anything else replaces the
     *     default
     * @throws IllegalArgumentException for a key of addresses, ports, seeds or directories, which the cluster sets so that
     *        clusters run side by side
     */
    public NodeOptions config(String key, Object value) {
        NodeConfiguration.requireFree(key);
        config.put(key, value);
        return this;
    }

    /** Sets several keys of {@code cassandra.yaml}, see {@link #config(String, Object)}. */
    public NodeOptions config(Map<String, ?> overrides) {
        overrides.forEach(this::config);
        return this;
    }

    /** Adds a variable to the environment of the node's process, which is the parent's without its Java options. */
    public NodeOptions environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Adds options of the node's JVM. They come last, so they override the defaults. */
    public NodeOptions jvmOptions(String... options) {
        jvmOptions.addAll(List.of(options));
        return this;
    }

    /**
     * Adds words before the node's {@code java} command, for example {@code faketime -f +5s}. The program that they run must pass
     * standard input, output and error on. Signals go to the JVM itself, even if that program stays its parent.
     */
    public NodeOptions commandPrefix(String... words) {
        commandPrefix.addAll(List.of(words));
        return this;
    }

    /**
     * Sets the version of Cassandra. Default: the version for which this module is built.
     *
     * @param version of {@code org.apache.cassandra:cassandra-all}, from 4.1 on
     */
    public NodeOptions version(String version) {
        this.version = version;
        return this;
    }

    /**
     * Leaves this node out of the start of the cluster. {@link LocalNode#start()} starts the node, which joins by bootstrap: it gets
     * its part of the data before it serves reads. The first node of a cluster cannot join later.
     */
    public NodeOptions joinLater() {
        joinsLater = true;
        return config(NodeConfiguration.AUTO_BOOTSTRAP, true);
    }

    Map<String, Object> config() {
        return config;
    }

    Map<String, String> environment() {
        return environment;
    }

    List<String> jvmOptions() {
        return jvmOptions;
    }

    List<String> commandPrefix() {
        return commandPrefix;
    }

    String version() {
        return version == null ? CassandraVersion.current() : version;
    }

    boolean joinsLater() {
        return joinsLater;
    }

    /** A copy of these options, overridden by others. */
    NodeOptions with(NodeOptions other) {
        NodeOptions both = new NodeOptions();
        both.config.putAll(NodeConfiguration.merged(config, other.config));
        both.environment.putAll(environment);
        both.environment.putAll(other.environment);
        both.jvmOptions.addAll(jvmOptions);
        both.jvmOptions.addAll(other.jvmOptions);
        both.commandPrefix.addAll(commandPrefix);
        both.commandPrefix.addAll(other.commandPrefix);
        both.version = other.version == null ? version : other.version;
        both.joinsLater = joinsLater || other.joinsLater;
        return both;
    }
}

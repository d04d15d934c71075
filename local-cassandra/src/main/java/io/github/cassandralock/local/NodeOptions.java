package io.github.cassandralock.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node is given beyond the defaults. Filled by {@link LocalCassandraBuilder#eachNode} and
 * {@link LocalCassandraBuilder#node}; where both say something, the single node's wins. Not thread-safe.
 */
public final class NodeOptions {

    private final Map<String, Object> config = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> commandPrefix = new ArrayList<>();

    NodeOptions() {}

    /**
     * Sets one top-level key of {@code cassandra.yaml}.
     *
     * @param value a string, number, boolean, list or map; a map is merged with a default that is a map, anything else
     *     replaces the default
     * @throws IllegalArgumentException for a key that says where a node listens, whom it looks for or where it keeps its
     *     data: the cluster sees to that, so that nodes find each other and clusters stand side by side
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

    /** Adds options of the node's JVM; they come last, so they win over the defaults. */
    public NodeOptions jvmOptions(String... options) {
        jvmOptions.addAll(List.of(options));
        return this;
    }

    /**
     * Words to put before the node's {@code java} command, for example {@code faketime -f +5s}. What they run must hand
     * on standard input, output and error. Signals go to the JVM itself, even if the prefix stays its parent.
     */
    public NodeOptions commandPrefix(String... words) {
        commandPrefix.addAll(List.of(words));
        return this;
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

    /** A copy of these options with another's laid over them. */
    NodeOptions with(NodeOptions other) {
        NodeOptions both = new NodeOptions();
        both.config.putAll(NodeConfiguration.merged(config, other.config));
        both.environment.putAll(environment);
        both.environment.putAll(other.environment);
        both.jvmOptions.addAll(jvmOptions);
        both.jvmOptions.addAll(other.jvmOptions);
        both.commandPrefix.addAll(commandPrefix);
        both.commandPrefix.addAll(other.commandPrefix);
        return both;
    }
}

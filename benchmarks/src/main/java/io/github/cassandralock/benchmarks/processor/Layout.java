package io.github.cassandralock.benchmarks.processor;

/** Which processors servers and clients have. */
public enum Layout {
    /** All have all. */
    SHARED("servers and clients share all processors"),

    /** Servers have one, and clients another one. */
    APART("servers on one core, clients on another one");

    private final String description;

    Layout(String description) {
        this.description = description;
    }

    public String description() {
        return description;
    }
}

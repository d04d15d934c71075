package io.github.cassandralock.internal.startup;

/** How far a try to start has come. The order is the order of the start. */
public enum StartStage {

    /** The first stage of each try. The text is for any store. */
    CONNECTING("The first try to connect has not ended yet."),

    /** The session is open. */
    TABLES("Cassandra can be reached, and the tables are being checked."),

    /** Tables are missing. */
    CREATION("Cassandra can be reached, and missing tables are being created."),

    /** The tables are there. */
    ALGORITHM("The tables are there, and the algorithm is being created.");

    private final String text;

    StartStage(String text) {
        this.text = text;
    }

    /** The stage as a sentence. */
    String text() {
        return text;
    }
}

package io.github.cassandralock.internal.startup;

/** Receives how far a start has come. */
@FunctionalInterface
public interface StartProgress {

    /** For starts that nobody follows. */
    StartProgress UNHEARD = stage -> {};

    void reached(StartStage stage);
}

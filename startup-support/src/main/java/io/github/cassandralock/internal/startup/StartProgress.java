package io.github.cassandralock.internal.startup;

/** Hears how far a start has come. */
@FunctionalInterface
public interface StartProgress {

    /** For starts that nobody follows. */
    StartProgress UNHEARD = stage -> {};

    void reached(StartStage stage);
}

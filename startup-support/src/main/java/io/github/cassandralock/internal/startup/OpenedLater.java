package io.github.cassandralock.internal.startup;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What is opened in the background, and what other starts need. */
interface OpenedLater {

    /** Why it is not open; empty if it is. */
    Optional<NotStartedException> problem();

    /** Completes when the first try to open it fails, and never if it does not. */
    CompletionStage<NotStartedException> firstFailure();

    /** Blocks until it is open or closed. */
    void awaitOpen() throws InterruptedException;
}

package io.github.cassandralock.internal.startup;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What is opened in the background, and what other starts need. */
interface OpenedLater {

    /** Returns why it is not open; empty if it is open. */
    Optional<NotStartedException> problem();

    /** Completes when the first try to open it fails, and never if that succeeds. */
    CompletionStage<NotStartedException> firstFailure();

    /** Blocks until it is open or closed. */
    void awaitOpen() throws InterruptedException;
}

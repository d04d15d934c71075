package io.github.cassandralock.benchmarks.contender;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How those ask again that can only try: after a random time, so that not all do so at once. Much shorter pauses do not make
 * them quicker: lightweight transactions that meet each other fail, and a lock whose release failed stays taken.
 */
final class Retries {

    private static final long LONGEST_PAUSE_MILLIS = 200;

    void pause() throws InterruptedException {
        Thread.sleep(1 + ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_MILLIS));
    }
}

package io.github.cassandralock.exactlyonce.store;

import io.github.cassandralock.exactlyonce.register.RegisterStore;

/** A store whose answers can be lost on the way: requests arrive and take effect, and the caller does not learn of it. */
public interface LostAnswers extends AutoCloseable {

    /** How answers are lost. */
    enum Way {
        /** The connection stays open, and nothing comes. */
        SILENCE,
        /** The connection is cut when the answer is due. */
        CUT
    }

    /** Over the same registers as the store under test. */
    RegisterStore store();

    /** From now on. */
    void begin(Way way);

    /** Waits until an answer was lost since the last {@link #begin}, at most half a minute. */
    void awaitLoss() throws InterruptedException;

    /** From now on, answers arrive. */
    void end();

    @Override
    void close();
}

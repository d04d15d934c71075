package io.github.cassandralock.exactlyonce.store;

import io.github.cassandralock.exactlyonce.register.RegisterStore;

/** For a server behind a proxy. */
public final class ProxiedAnswers implements LostAnswers {

    private final AnswerLosingProxy proxy;
    private final RegisterStore store;
    private final Runnable closeStore;

    /** @param closeStore ends the connections of the store */
    public ProxiedAnswers(AnswerLosingProxy proxy, RegisterStore store, Runnable closeStore) {
        this.proxy = proxy;
        this.store = store;
        this.closeStore = closeStore;
    }

    @Override
    public RegisterStore store() {
        return store;
    }

    @Override
    public void begin(Way way) {
        proxy.lose(way);
    }

    @Override
    public void awaitLoss() throws InterruptedException {
        proxy.awaitLoss();
    }

    @Override
    public void end() {
        proxy.answer();
    }

    @Override
    public void close() {
        proxy.close();
        closeStore.run();
    }
}

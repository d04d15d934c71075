package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.spi.Grant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A grant in front of another grant. It forwards everything but the end of the hold and the change of its mode. */
public interface ForwardingGrant extends Grant {

    /** The grant behind this grant. */
    Grant grant();

    @Override
    default CompletionStage<Long> reserveFencingToken() {
        return grant().reserveFencingToken();
    }

    @Override
    default CompletionStage<Void> watchContention() {
        return grant().watchContention();
    }

    @Override
    default Optional<LockMode> getMode() {
        return grant().getMode();
    }

    @Override
    default CompletionStage<LockValue> readValue() {
        return grant().readValue();
    }

    @Override
    default CompletionStage<Void> writeValue(byte[] bytes) {
        return grant().writeValue(bytes);
    }

    @Override
    default CompletionStage<LockValue> readStoredValue() {
        return grant().readStoredValue();
    }

    @Override
    default CompletionStage<Void> storeValue(byte[] bytes) {
        return grant().storeValue(bytes);
    }

    @Override
    default void leaveValueOpen() {
        grant().leaveValueOpen();
    }

    @Override
    default void markFinished() {
        grant().markFinished();
    }
}

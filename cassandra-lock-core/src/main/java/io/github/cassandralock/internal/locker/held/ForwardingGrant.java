package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.spi.Grant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A grant in front of another grant. It forwards everything but the end of the hold and the change of its mode. */
public interface ForwardingGrant extends Grant {

    /** The grant behind this one. */
    Grant grant();

    @Override
    default CompletionStage<Long> fencingToken() {
        return grant().fencingToken();
    }

    @Override
    default CompletionStage<Void> contended() {
        return grant().contended();
    }

    @Override
    default Optional<LockMode> mode() {
        return grant().mode();
    }

    @Override
    default CompletionStage<LockValue> value() {
        return grant().value();
    }

    @Override
    default CompletionStage<Void> value(byte[] bytes) {
        return grant().value(bytes);
    }

    @Override
    default void leaveValueOpen() {
        grant().leaveValueOpen();
    }

    @Override
    default void finished() {
        grant().finished();
    }
}

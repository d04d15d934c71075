package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.internal.locker.AlgorithmLocker;

/** Receives the locker when it is created, for restores from checkpoints and for meters. */
public interface LockerHook {

    void created(AlgorithmLocker locker);
}

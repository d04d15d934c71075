package io.github.cassandralock.internal.migration;

import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.LockInspection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Shows locks of the algorithm {@code migration}: their state under the new algorithm and their state under the old one.
 */
public record MigrationInspection(LockInspection from, LockInspection to) implements LockInspection {

    @Override
    public CompletionStage<LockState> inspect(String lockId) {
        return to.inspect(lockId).thenCombine(from.inspect(lockId), LockState::beside);
    }

    /** At most one of the two algorithms has sessions. */
    @Override
    public CompletionStage<List<SessionInfo>> sessions() {
        return to.sessions().thenCombine(from.sessions(), (these, those) -> these.isEmpty() ? those : these);
    }

    @Override
    public Optional<UUID> ownSession() {
        return to.ownSession().or(from::ownSession);
    }
}

package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockRequests;
import io.github.cassandralock.RemoteLocker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the key of one call names. */
sealed interface LockNames {

    /**
     * Divides them into what outer calls hold, and what the call has to take.
     *
     * @param outer finds what an outer call holds
     */
    Division divide(Function<String, @Nullable Hold> outer);

    /**
     * Checks that the call does not wait for one that it runs in.
     *
     * @param node finds what an outer call holds of a node of a path
     * @param ofThread whether what the call takes belongs to the thread
     * @throws IllegalStateException if it would wait for itself
     */
    void requireSameOwner(LockOperation operation, Function<String, @Nullable Hold> node, boolean ofThread);

    /** What the call asks the locker for. */
    LockCall<?> call(RemoteLocker locker, LockOperation operation);

    /**
     * What a call shares and takes.
     *
     * @param outer holds that it shares
     * @param missing empty if outer calls hold everything
     */
    record Division(List<Hold> outer, Optional<LockNames> missing) {}

    /**
     * Lock ids.
     *
     * @param lockIds at least one
     */
    record Ids(List<String> lockIds) implements LockNames {

        @Override
        public Division divide(Function<String, @Nullable Hold> outer) {
            List<Hold> held = new ArrayList<>();
            List<String> missing = new ArrayList<>();
            for (String lockId : lockIds) {
                Hold hold = outer.apply(lockId);
                if (hold == null) {
                    missing.add(lockId);
                } else {
                    held.add(hold);
                }
            }
            return new Division(held, missing.isEmpty() ? Optional.empty() : Optional.of(new Ids(missing)));
        }

        @Override
        public void requireSameOwner(
                LockOperation operation, Function<String, @Nullable Hold> node, boolean ofThread) {}

        @Override
        public LockCall<?> call(RemoteLocker locker, LockOperation operation) {
            return lockIds.size() == 1
                    ? new OneLock(locker, operation, lockIds.get(0))
                    : new SeveralLocks(locker, operation, operation.requests(LockRequests.of(lockIds)));
        }
    }

    /**
     * Paths of a hierarchy. Nested calls ask the locker again, which counts the nodes that their thread holds.
     *
     * @param paths at least one
     */
    record Paths(List<LockPath> paths) implements LockNames {

        @Override
        public Division divide(Function<String, @Nullable Hold> outer) {
            return new Division(List.of(), Optional.of(this));
        }

        @Override
        public void requireSameOwner(LockOperation operation, Function<String, @Nullable Hold> node, boolean ofThread) {
            for (LockRequest request : requests(operation).inOrder()) {
                Hold outer = node.apply(request.lockId());
                if (outer != null) {
                    outer.requireSameOwner(operation, ofThread);
                }
            }
        }

        @Override
        public LockCall<?> call(RemoteLocker locker, LockOperation operation) {
            return new SeveralLocks(locker, operation, requests(operation));
        }

        private LockRequests requests(LockOperation operation) {
            Map<LockPath, LockMode> modes = new TreeMap<>();
            paths.forEach(path -> modes.put(path, operation.mode()));
            return operation.requests(LockRequests.ofPaths(modes));
        }
    }
}

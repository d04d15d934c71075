package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequests;
import io.github.cassandralock.RemoteLocker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the key of one call names. */
sealed interface NamedLocks {

    /**
     * Divides them into what outer calls hold, and what the call has to take.
     *
     * @param outer finds what outer calls hold
     */
    Division divide(OuterHolds outer);

    /** The ids of what the key names. */
    List<String> lockIds();

    /** What the call asks the locker for. */
    LockCall<?> call(RemoteLocker locker, LockOperation operation);

    /**
     * What a call shares and takes.
     *
     * @param outer holds that it shares
     * @param missing empty if outer calls hold everything
     */
    record Division(List<Hold> outer, Optional<NamedLocks> missing) {}

    /**
     * Lock ids.
     *
     * @param lockIds at least one
     */
    record Ids(List<String> lockIds) implements NamedLocks {

        @Override
        public Division divide(OuterHolds outer) {
            List<Hold> held = new ArrayList<>();
            List<String> missing = new ArrayList<>();
            for (String lockId : lockIds) {
                Hold hold = outer.lock(lockId);
                if (hold == null) {
                    missing.add(lockId);
                } else {
                    held.add(hold);
                }
            }
            return new Division(held, missing.isEmpty() ? Optional.empty() : Optional.of(new Ids(missing)));
        }

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
    record Paths(List<LockPath> paths) implements NamedLocks {

        @Override
        public List<String> lockIds() {
            return paths.stream().map(LockPath::lockId).toList();
        }

        @Override
        public Division divide(OuterHolds outer) {
            return new Division(List.of(), Optional.of(this));
        }

        @Override
        public LockCall<?> call(RemoteLocker locker, LockOperation operation) {
            Map<LockPath, LockMode> modes = new TreeMap<>();
            paths.forEach(path -> modes.put(path, operation.mode()));
            return new SeveralLocks(locker, operation, operation.requests(LockRequests.ofPaths(modes)));
        }
    }
}

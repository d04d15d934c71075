package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Owners of several processes that take some of the same locks by one call (protocol, section 12), some of which give up, and
 * whose lockers may close meanwhile.
 */
final class GroupWorld extends OwnerWorld {

    private static final int LOCKS = 8;

    /** Its requests have two permits. */
    private static final String WITH_PERMITS = "lock 3";

    private record Held(Owner owner, MultiLockRequest request, RemoteLocks locks) implements Holding {

        @Override
        public boolean conflictsWith(Holding holding) {
            Held other = (Held) holding;
            return request.getRequests().stream()
                    .anyMatch(own -> other.request.getRequests().stream().anyMatch(theirs -> conflict(own, theirs)));
        }

        private static boolean conflict(LockRequest own, LockRequest theirs) {
            return own.getLockId().equals(theirs.getLockId())
                    && own.getPermits() == 1
                    && !own.getMode().isCompatibleWith(theirs.getMode());
        }
    }

    private GroupWorld(long seed) {
        super(seed);
    }

    /** @return what should not have happened */
    static List<String> run(long seed) {
        GroupWorld world = new GroupWorld(seed);
        if (world.random.nextInt(4) == 0) {
            Member closing = world.members.get(0);
            world.time.at(
                    Duration.ofMillis(world.random.nextLong(1_000)),
                    () -> closing.process().run(() -> closing.locker().closeAsync()));
        }
        return world.run();
    }

    @Override
    Owner owner(Member member, int rounds) {
        return new GroupOwner(member, rounds);
    }

    @Override
    Stream<String> lockIds() {
        return IntStream.range(0, LOCKS).mapToObj(lock -> "lock " + lock);
    }

    private final class GroupOwner extends Owner {

        private boolean asks;

        GroupOwner(Member member, int rounds) {
            super(member, rounds);
        }

        /** No call of a closed locker gets locks, but each must end. */
        @Override
        boolean isDone() {
            return super.isDone() || (member.locker().isClosed() && !asks);
        }

        @Override
        void begin() {
            if (member.locker().isClosed()) {
                return;
            }
            List<LockRequest> some = new ArrayList<>(lockIds().map(this::one).toList());
            for (int leftOut = random.nextInt(LOCKS - 1); leftOut > 0; leftOut--) {
                some.remove(random.nextInt(some.size()));
            }
            ask(MultiLockRequest.ofAll(some));
        }

        private LockRequest one(String lockId) {
            LockRequest request = LockRequest.of(lockId);
            if (lockId.equals(WITH_PERMITS)) {
                return request.permits(2);
            }
            return random.nextInt(3) == 0 ? request.mode(LockMode.PROTECTED_READ) : request;
        }

        private void ask(MultiLockRequest request) {
            Consumer<Optional<RemoteLocks>> answered = locks -> {
                asks = false;
                List<Held> held = locks.map(got -> granted(new Held(this, request, got))).stream()
                        .toList();
                after(() -> end(held));
            };
            asks = true;
            switch (random.nextInt(6)) {
                case 0 -> follow(member.locker().tryGetLocksAsync(request), Function.identity(), answered);
                case 1 -> {
                    Duration timeout = Duration.ofMillis(random.nextLong(1, 3_000));
                    follow(member.locker().getLocksAsync(request, timeout), Optional::of, answered);
                }
                default -> follow(member.locker().getLocksAsync(request), Optional::of, answered);
            }
        }
    }
}

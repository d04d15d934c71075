package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Owners of several processes that lock parts of one hierarchy, up to three one after the other, or the whole (lock modes, section 5). Each
 * part is behind the one before in the order of ids, so that owners do not wait for each other in a cycle, unless one of them
 * waits for itself.
 */
final class PathWorld extends OwnerWorld {

    private static final LockPath ROOT = LockPath.of("root");
    private static final List<LockMode> WHOLE = List.of(
            LockMode.EXCLUSIVE,
            LockMode.PROTECTED_READ,
            LockMode.PROTECTED_WRITE,
            LockMode.CONCURRENT_READ,
            LockMode.NULL);
    private static final List<LockMode> PART = List.of(LockMode.EXCLUSIVE, LockMode.EXCLUSIVE, LockMode.PROTECTED_READ);

    /** A part or the whole. */
    private record Held(Owner owner, LockPath path, LockMode mode, RemoteLocks locks) implements Holding {

        /** By what the modes mean, not by the locks that stand for it. */
        @Override
        public boolean conflictsWith(Holding holding) {
            Held other = (Held) holding;
            if (owner == other.owner) {
                return false;
            } else if (path.equals(other.path)) {
                return !mode.isCompatibleWith(other.mode);
            } else if (path.equals(ROOT)) {
                return excludesBelow(mode, other.mode);
            }
            return other.path.equals(ROOT) && excludesBelow(other.mode, mode);
        }

        private static boolean excludesBelow(LockMode whole, LockMode part) {
            return switch (whole) {
                case EXCLUSIVE -> true;
                case PROTECTED_READ, PROTECTED_WRITE -> part == LockMode.EXCLUSIVE;
                default -> false;
            };
        }
    }

    private PathWorld(long seed) {
        super(seed);
    }

    /** @return what should not have happened */
    static List<String> run(long seed) {
        return new PathWorld(seed).run();
    }

    @Override
    Owner owner(Member member, int rounds) {
        return new PathOwner(member, rounds);
    }

    @Override
    Stream<String> lockIds() {
        Stream<LockPath> parts = Stream.of("0", "1", "2", "3", "4", "5").map(ROOT::child);
        return Stream.concat(Stream.of(ROOT), parts).map(LockPath::getLockId);
    }

    /** Locks the whole, or some parts. */
    private final class PathOwner extends Owner {

        private final LockOwner name = LockOwner.named("owner");

        PathOwner(Member member, int rounds) {
            super(member, rounds);
        }

        @Override
        void begin() {
            if (random.nextInt(3) == 0) {
                ask(ROOT, WHOLE.get(random.nextInt(WHOLE.size())), List.of(), whole -> end(List.of(whole)));
            } else {
                takeParts(0, random.nextInt(2, 4), List.of());
            }
        }

        /** Takes so many more parts, each behind the one before. */
        private void takeParts(int from, int more, List<Held> taken) {
            LockPath part = ROOT.child("" + (from + random.nextInt(2)));
            LockMode mode = PART.get(random.nextInt(PART.size()));
            ask(part, mode, taken, held -> {
                List<Held> all = Stream.concat(taken.stream(), Stream.of(held)).toList();
                if (more > 1) {
                    takeParts(from + 2, more - 1, all);
                } else {
                    giveBack(new ArrayList<>(all));
                }
            });
        }

        /** One after the other, in any order. */
        private void giveBack(List<Held> all) {
            if (all.size() == 1) {
                end(all);
            } else {
                close(all.remove(random.nextInt(all.size())));
                after(() -> giveBack(all));
            }
        }

        /** @param taken is given back if the path is not granted */
        private void ask(LockPath path, LockMode mode, List<Held> taken, Consumer<Held> then) {
            MultiLockRequest request = MultiLockRequest.ofPath(path).mode(mode).owner(name);
            Consumer<Optional<RemoteLocks>> answered = locks -> {
                Optional<Held> held = locks.map(got -> granted(new Held(this, path, mode, got)));
                after(() -> held.ifPresentOrElse(then, () -> end(taken)));
            };
            if (random.nextInt(6) == 0) {
                follow(member.locker().tryGetLocksAsync(request), Function.identity(), answered);
            } else {
                follow(waiting(request), Optional::of, answered);
            }
        }

        /** With a time-out if the root has to be converted up: then it waits behind others, who may wait for this owner's first part. */
        private CompletableFuture<RemoteLocks> waiting(MultiLockRequest request) {
            LockMode needed = request.getRequests().get(0).getMode();
            boolean converts = holdingsOf(this)
                    .map(Held.class::cast)
                    .anyMatch(held -> !held.mode().getIntention().covers(needed));
            return converts
                    ? member.locker().getLocksAsync(request, Duration.ofMillis(random.nextLong(1, 3_000)))
                    : member.locker().getLocksAsync(request);
        }
    }
}

package io.github.cassandralock.simulation;

import io.github.cassandralock.spi.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/** The schedules of the ticket lock: each says, for a seed, what happened that should not have. */
public enum Schedules implements LongFunction<List<String>> {

    /** Several processes, several threads, everything that can go wrong: of the others, and of storms. */
    EVERYTHING {
        @Override
        public List<String> apply(long seed) {
            return TicketWorld.run(seed, Climate.any(new SplittableRandom(seed)));
        }
    },

    /** Processes are paused, killed, cut off; messages get lost or are late. */
    STORMS {
        @Override
        public List<String> apply(long seed) {
            return TicketWorld.run(seed, Climate.storms(new SplittableRandom(seed)));
        }
    },

    /** Messages overtake each other by a whole tenure, and every holder asks for a token. */
    MANY_TOKENS {
        @Override
        public List<String> apply(long seed) {
            return TicketWorld.run(seed, Climate.manyTokens(new SplittableRandom(seed)));
        }
    },

    /** Slots cannot be written for longer than they live. */
    LOST_SLOTS {
        @Override
        public List<String> apply(long seed) {
            return TicketWorld.run(seed, Climate.lostSlots(new SplittableRandom(seed)));
        }
    },

    /** Sessions cannot be renewed, or do not hear of it. */
    LOST_RENEWALS {
        @Override
        public List<String> apply(long seed) {
            return TicketWorld.run(seed, Climate.lostRenewals(new SplittableRandom(seed)));
        }
    },

    /** Holders ask for tokens and fall silent, and what they wrote reached hardly anybody. */
    SUDDEN_DEATHS {
        @Override
        public List<String> apply(long seed) {
            return TicketWorld.run(seed, Climate.suddenDeaths(new SplittableRandom(seed)));
        }
    },

    /** Threads of one process hand over while their session comes to its end. */
    HAND_OVERS {
        @Override
        public List<String> apply(long seed) {
            return TicketWorld.run(seed, Climate.handOvers(new SplittableRandom(seed)));
        }
    },

    /** Several processes try at once, and some are farther away than others. */
    TRY_AT_ONCE {
        @Override
        public List<String> apply(long seed) {
            TicketWorld world = new TicketWorld(seed, Climate.slow(), 5);
            List<Attempt> attempts =
                    world.members().stream().map(world::tryAcquire).toList();
            world.time().run(Duration.ofSeconds(2));
            long open = attempts.stream().filter(attempt -> !isDone(attempt)).count();
            long granted = attempts.stream().filter(Schedules::isGranted).count();
            return granted == 1 && open == 0
                    ? List.of()
                    : List.of(granted + " of five got the lock, " + open + " still try");
        }
    };

    private static boolean isDone(Attempt attempt) {
        return attempt.outcome().toCompletableFuture().isDone();
    }

    private static boolean isGranted(Attempt attempt) {
        return isDone(attempt) && attempt.outcome().toCompletableFuture().join().isPresent();
    }
}

package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.contender.Contender;
import java.util.List;
import java.util.Map;

/** How contenders of a process count their requests. The command {@code bookkeeping} compares what that costs. */
public enum Bookkeeping {
    /** As in all measurements. */
    COUNTED,

    /** Not at all. */
    NONE,

    /** A planted fault: each acquisition takes a millisecond longer. A comparison that does not show it is worthless. */
    PLANTED;

    private static final String VARIABLE = "BENCHMARKS_BOOKKEEPING";

    /** The variables of the environment of a process with this bookkeeping. */
    public Map<String, String> environment() {
        return Map.of(VARIABLE, name());
    }

    static Bookkeeping ofThisProcess() {
        return valueOf(System.getenv().getOrDefault(VARIABLE, COUNTED.name()));
    }

    Contender open(Algorithm algorithm, String address, List<Contender> present) throws Exception {
        Contender contender = algorithm.open(address, present, this != NONE);
        return this == PLANTED ? new Slow(contender) : contender;
    }

    private record Slow(Contender contender) implements Contender {

        @Override
        public Hold acquire(String lockId) throws Exception {
            Thread.sleep(1);
            return contender.acquire(lockId);
        }

        @Override
        public long requests() {
            return contender.requests();
        }

        @Override
        public void close() throws Exception {
            contender.close();
        }
    }
}

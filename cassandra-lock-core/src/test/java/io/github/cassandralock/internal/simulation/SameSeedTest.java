package io.github.cassandralock.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A seed decides everything: each schedule has the same events at the same instants whenever it runs. For that, code under simulation
 * must not call others in the order of a set of objects without {@code hashCode}.
 */
class SameSeedTest {

    private static final int SEEDS = 2;

    /** All kinds of schedules, which return the instants of their events. */
    private static final Map<String, LongFunction<List<String>>> TRACED = new HashMap<>();

    @BeforeAll
    @SuppressWarnings("unchecked")
    static void recordTheInstantsOfAllEvents(@TempDir Path workDirectory) throws IOException {
        LongFunction<List<String>> one = Fault.of(Schedules.EVERYTHING, Violation.TWO_HOLDERS, "events are recorded")
                .in("simulation.SimulatedTime", "run(long, Runnable)")
                .around("EVENTS.add(String.valueOf(instant)); return right(instant, action);")
                .with("static final java.util.List<String> EVENTS = new java.util.ArrayList<>();")
                .in("simulation.Schedules", "apply")
                .around("SimulatedTime.EVENTS.clear(); right(seed); return List.copyOf(SimulatedTime.EVENTS);")
                .plantedIn(workDirectory);
        for (Enum<?> kind : ((Enum<?>) one).getDeclaringClass().getEnumConstants()) {
            TRACED.put(kind.name(), (LongFunction<List<String>>) kind);
        }
    }

    @ParameterizedTest
    @EnumSource
    void scheduleIsTheSameEachTime(Schedules kind) {
        LongFunction<List<String>> schedule = Objects.requireNonNull(TRACED.get(kind.name()));
        assertThat(LongStream.rangeClosed(1, SEEDS).filter(seed -> !isTheSameTwice(schedule, seed)))
                .as("seeds with two schedules")
                .isEmpty();
    }

    private static boolean isTheSameTwice(LongFunction<List<String>> schedule, long seed) {
        List<String> events = schedule.apply(seed);
        return !events.isEmpty() && events.equals(schedule.apply(seed));
    }
}

package io.github.cassandralock.internal.exhaustive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Visits all states of a scope, the nearest first. So the first violation has a shortest story. The search takes the steps to a
 * state from the beginning each time, because production objects cannot be copied.
 */
final class StateSearch {

    private static final Logger log = LoggerFactory.getLogger(StateSearch.class);

    /** Before each step of a story. */
    static final String STEP = "  ";

    /** The steps to a state. States share the beginnings of their paths. */
    private record Path(@Nullable Path before, Step last) {

        static List<Step> steps(@Nullable Path path) {
            Deque<Step> steps = new ArrayDeque<>();
            for (Path part = path; part != null; part = part.before()) {
                steps.addFirst(part.last());
            }
            return List.copyOf(steps);
        }
    }

    /** A state that no shorter path has reached. */
    private record Reached(Path path, List<String> violations) {}

    /**
     * What a search has found.
     *
     * @param states that it has visited
     * @param longest the number of steps to the last of them
     * @param complete whether no state was left because its schedule would be too long
     * @param violations of the first state that has some, with the story that leads there; empty if there is none
     */
    record Result(int states, int longest, boolean complete, List<String> violations) {}

    private final Scope scope;
    private final Set<StateKey> known = ConcurrentHashMap.newKeySet();

    private StateSearch(Scope scope) {
        this.scope = scope;
    }

    static Result of(Scope scope) {
        Result result = new StateSearch(scope).result();
        log.info("{}: {} states, {} steps, {}", scope, result.states(), result.longest(), result.violations());
        return result;
    }

    private Result result() {
        List<Reached> states = following(null).toList();
        int longest = 1;
        Optional<Reached> violated = violated(states);
        while (violated.isEmpty() && longest < scope.bounds().steps()) {
            List<Reached> next = states.parallelStream()
                    .flatMap(state -> following(state.path()))
                    .toList();
            if (next.isEmpty()) {
                return new Result(known.size(), longest, true, List.of());
            }
            states = next;
            longest++;
            violated = violated(states);
        }
        return new Result(
                known.size(), longest, false, violated.map(this::story).orElse(List.of()));
    }

    private static Optional<Reached> violated(List<Reached> states) {
        return states.stream().filter(state -> !state.violations().isEmpty()).findFirst();
    }

    private Stream<Reached> following(@Nullable Path path) {
        List<Step> taken = Path.steps(path);
        SmallWorld world = world(taken);
        List<Reached> found = new ArrayList<>();
        for (Iterator<Step> steps = world.steps().iterator(); steps.hasNext(); ) {
            Step step = steps.next();
            SmallWorld next = steps.hasNext() ? world(taken) : world;
            next.take(step);
            if (known.add(next.key())) {
                found.add(new Reached(new Path(path, step), next.violations()));
            }
        }
        return found.stream();
    }

    private SmallWorld world(List<Step> taken) {
        SmallWorld world = new SmallWorld(scope);
        taken.forEach(world::take);
        return world;
    }

    private List<String> story(Reached state) {
        List<String> story = new ArrayList<>(state.violations());
        SmallWorld world = new SmallWorld(scope);
        story.add("At the beginning: " + world.situation());
        for (Step step : Path.steps(state.path())) {
            story.add(STEP + world.text(step));
            world.take(step);
        }
        return story;
    }
}

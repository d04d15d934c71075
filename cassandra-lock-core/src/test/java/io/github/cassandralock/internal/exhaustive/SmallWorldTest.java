package io.github.cassandralock.internal.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A state depends on the steps that lead to it, and on nothing else. */
class SmallWorldTest {

    @ParameterizedTest
    @EnumSource
    void worldThatTakesTheSameStepsIsInTheSameState(Scope scope) {
        SplittableRandom random = new SplittableRandom(1);
        SmallWorld world = new SmallWorld(scope);
        List<Step> taken = new ArrayList<>();
        for (List<Step> steps = world.steps(); !steps.isEmpty() && taken.size() < 40; steps = world.steps()) {
            Step step = steps.get(random.nextInt(steps.size()));
            world.take(step);
            taken.add(step);
        }
        SmallWorld again = new SmallWorld(scope);
        taken.forEach(again::take);
        assertThat(again.key()).isEqualTo(world.key());
        assertThat(again.steps()).isEqualTo(world.steps());
    }
}

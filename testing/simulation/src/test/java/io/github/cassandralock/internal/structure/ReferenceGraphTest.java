package io.github.cassandralock.internal.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReferenceGraphTest {

    sealed interface Signal permits Stop, Go {}

    record Stop() implements Signal {}

    record Go() implements Signal {}

    record Driver(Signal seen) {}

    private static String nested(String name) {
        return name.substring(name.indexOf('$') + 1);
    }

    private static List<JavaClass> imported(Class<?>... types) {
        return List.copyOf(new ClassFileImporter().importClasses(types));
    }

    @Test
    void cyclesAreTheLargestSetsThatReachEachOther() {
        ReferenceGraph graph = new ReferenceGraph(Map.of(
                "a", Set.of("b"),
                "b", Set.of("c", "d"),
                "c", Set.of("a"),
                "d", Set.of("e"),
                "e", Set.of("d"),
                "f", Set.of("a")));
        assertThat(graph.cycles()).containsExactly(Set.of("a", "b", "c"), Set.of("d", "e"));
    }

    @Test
    void graphWithoutCyclesHasNone() {
        assertThat(new ReferenceGraph(Map.of("a", Set.of("b"), "b", Set.of())).cycles())
                .isEmpty();
    }

    @Test
    void referencesIncludeTypesOfComponents() {
        assertThat(ReferenceGraph.of(imported(Driver.class, Signal.class, Stop.class), ReferenceGraphTest::nested)
                        .references())
                .containsEntry("Driver", Set.of("Signal"))
                .containsEntry("Stop", Set.of("Signal"))
                .containsEntry("Signal", Set.of());
    }

    @Test
    void nestedClassesCountWithTheOutermostOne() {
        List<JavaClass> types = imported(Driver.class, Signal.class, Stop.class, Go.class);
        assertThat(ReferenceGraph.of(types, ReferenceGraph.byFileAndSealedType(types))
                        .references())
                .containsOnlyKeys(ReferenceGraphTest.class.getName());
    }

    @Test
    void sealedTypeAndWhatItPermitsCountAsOne() {
        List<JavaClass> types = imported(Lamp.class, Lamp.Red.class, LampUser.class);
        assertThat(ReferenceGraph.byFileAndSealedType(types).apply(GreenLamp.class.getName()))
                .isEqualTo(ReferenceGraph.byFileAndSealedType(types).apply(Lamp.class.getName()))
                .isNotEqualTo(ReferenceGraph.byFileAndSealedType(types).apply(LampUser.class.getName()));
    }
}

package io.github.cassandralock.internal.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StructureTest {

    interface Asked {}

    static final class Answers implements Asked {}

    interface Port {}

    static final class OnePort implements Port {}

    static final class OtherPort implements Port {}

    sealed interface Closed {}

    record OnlyOne() implements Closed {}

    private static List<JavaClass> imported(Class<?>... types) {
        return List.copyOf(new ClassFileImporter().importClasses(types));
    }

    @Test
    void interfaceWithOneImplementationIsFound() {
        assertThat(Structure.withOneImplementation(imported(
                        Asked.class,
                        Answers.class,
                        Port.class,
                        OnePort.class,
                        OtherPort.class,
                        Closed.class,
                        OnlyOne.class)))
                .containsExactly("StructureTest.Asked");
    }

    @Test
    void questionsForTheKindAreCountedWhereTheyAreAsked() {
        assertThat(Structure.questionsForTheKind(
                        Lamp.class.getName(),
                        List.of(),
                        imported(LampUser.class, Lamp.class, Lamp.Red.class, GreenLamp.class)))
                .isEqualTo(Map.of("LampUser", 2L));
    }
}

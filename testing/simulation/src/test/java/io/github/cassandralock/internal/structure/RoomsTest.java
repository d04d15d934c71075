package io.github.cassandralock.internal.structure;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The rules of this package, applied to this module. */
class RoomsTest {

    private static final String BASE = "io.github.cassandralock.internal";

    private static final JavaClasses MODULE = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void referenceToARoomThatMayBeUsedIsRight() {
        assertThatCode(() -> Rooms.of(BASE + ".seeded")
                        .room("sources", "", "SourceType ParsedSource NoPlaceException")
                        .room("(root)", "sources", "")
                        .wrongReferences(0)
                        .check(MODULE))
                .doesNotThrowAnyException();
    }

    @Test
    void referenceUpwardIsCounted() {
        assertThatThrownBy(() -> Rooms.of(BASE + ".seeded")
                        .room("sources", "", "SourceType ParsedSource NoPlaceException Fault")
                        .room("(root)", "sources", "")
                        .wrongReferences(0)
                        .check(MODULE))
                .hasMessageContaining("Fault > PlantedClasses")
                .hasMessageNotContaining("FaultSearch > Fault");
    }

    @Test
    void classesOfOtherModulesDoNotCount() {
        assertThatThrownBy(() -> Structure.classCycles(9).check(new ClassFileImporter().importClasses(RoomsTest.class)))
                .as("a rule that finds no class of the module")
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void longFileIsReportedWithItsLength() {
        assertThatThrownBy(() -> Structure.longestFile(10).check(MODULE)).hasMessageContaining("ParsedSource.java");
    }
}

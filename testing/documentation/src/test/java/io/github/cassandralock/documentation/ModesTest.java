package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of compatible modes in the guide. Costs nothing; catches a cell that is not what the locks do. */
class ModesTest {

    @Test
    void theTableOfCompatibleModesIsTheCodes() {
        List<String> rows = Page.textOf(Page.root().resolve("docs/guide/lock-modes.md"))
                .lines()
                .filter(line -> line.matches("\\| `\\w+` (\\| (yes|no) )+\\|"))
                .toList();
        assertThat(rows).containsExactlyElementsOf(modes().map(ModesTest::row).toList());
    }

    private static String row(LockMode mode) {
        StringBuilder row = new StringBuilder("| `" + mode + "` |");
        modes().forEach(other -> row.append(mode.isCompatibleWith(other) ? " yes |" : " no |"));
        return row.toString();
    }

    private static Stream<LockMode> modes() {
        return Arrays.stream(LockMode.values());
    }
}

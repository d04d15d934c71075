package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every block says in which language it is, so that a test of this module looks at it. Costs nothing; catches what is not checked. */
class LanguagesTest {

    /** The first is not looked at: output, pictures of tables, formulas. */
    private static final Set<String> KNOWN =
            Set.of("text", "java", "kotlin", "xml", "yaml", "properties", "sql", "shell");

    @Test
    void everyBlockHasALanguageThatIsChecked() {
        List<String> unknown = Page.all().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> !KNOWN.contains(block.language()))
                .map(block -> block.place() + " '" + block.language() + "'")
                .toList();
        assertThat(unknown).isEmpty();
    }
}

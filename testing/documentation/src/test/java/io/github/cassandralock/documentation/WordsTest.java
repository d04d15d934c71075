package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The documentation is short enough to be read. Costs nothing; catches pages that grow.
 *
 * <p>README counts as {@code wc -w} counts: everything between white space, code and tables included. Of all other pages, prose
 * counts: no code, no tables, no targets of links. A word there has a letter or a digit.
 */
class WordsTest {

    /** Pages for maintainers, which have no bound. */
    private static final Set<String> DESIGN = Set.of(
            "docs/architecture.md",
            "docs/design.md",
            "docs/exactly-once.md",
            "docs/lock-modes.md",
            "docs/majority.md",
            "docs/migration.md",
            "docs/mutation.md",
            "docs/notices.md",
            "docs/performance.md",
            "docs/protocol.md",
            "docs/queue.md",
            "docs/reliability.md",
            "docs/shadow.md",
            "docs/thesis.md",
            "docs/trust.md");

    @Test
    void readmeHasAtMost900Words() {
        Page readme = pages(name -> name.equals("README.md")).get(0);
        assertThat(readme.lines().stream().mapToLong(WordsTest::words).sum()).isLessThanOrEqualTo(900);
    }

    @Test
    void userPagesHaveAtMost14000Words() {
        assertThat(prose(pages(name -> isOfTheSite(name) && !DESIGN.contains(name) && !isExactlyOnce(name))))
                .isLessThanOrEqualTo(14_000);
    }

    @Test
    void exactlyOnceHasAtMost4000WordsForUsers() {
        assertThat(prose(pages(WordsTest::isExactlyOnce))).isBetween(1L, 4_000L);
    }

    @Test
    void codeTablesAndTargetsOfLinksDoNotCount() {
        Page page = Page.of(
                "p.md",
                "# A title\n\nTwo [words](target.md#of-link) – `code`.\n\n| a | table |\n\n```java\nint i;\n```\n");
        assertThat(prose(List.of(page))).isEqualTo(5);
    }

    private static boolean isOfTheSite(String name) {
        return name.startsWith("docs/") && !name.startsWith("docs/decisions/");
    }

    private static boolean isExactlyOnce(String name) {
        return name.startsWith("docs/guide/exactly-once");
    }

    private static List<Page> pages(Predicate<String> names) {
        return Page.all().stream().filter(page -> names.test(page.name())).toList();
    }

    private static long prose(List<Page> pages) {
        return pages.stream()
                .map(page -> String.join("\n", page.prose()).replaceAll("(?m)^ *\\|.*$", ""))
                .map(text -> text.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("[^\\p{L}\\p{N}\\s]", ""))
                .mapToLong(WordsTest::words)
                .sum();
    }

    private static long words(String text) {
        return Arrays.stream(text.trim().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .count();
    }
}

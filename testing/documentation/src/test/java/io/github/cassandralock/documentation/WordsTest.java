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
 * <p>A word is what stands between white space and has a letter or a digit. Tables count, and code does not, except in README.
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
        assertThat(words(pages(name -> isForUsers(name) && !isExactlyOnce(name) && !name.equals("README.md"))))
                .isLessThanOrEqualTo(14_000);
    }

    @Test
    void exactlyOnceHasAtMost4000WordsForUsers() {
        assertThat(words(pages(WordsTest::isExactlyOnce))).isBetween(1L, 4_000L);
    }

    /** Its tables and the texts of its plots are made from files. */
    @Test
    void performanceHasAtMost1500WordsBesidesItsTablesAndPlots() {
        Page page = pages(name -> name.equals("docs/performance.md")).get(0);
        String text = String.join("\n", page.prose());
        assertThat(words(text.replaceAll("(?m)^ *\\|.*$|!\\[[^]]*]", ""))).isBetween(1L, 1_500L);
    }

    @Test
    void tablesCountAndCodeDoesNot() {
        Page page = Page.of("p.md", "# A title\n\nTwo words.\n\n| a | table |\n|---|---|\n\n```java\nint i;\n```\n");
        assertThat(words(List.of(page))).isEqualTo(6);
    }

    /** Whether the page is for people who use or operate locks or exactly-once. */
    static boolean isForUsers(String name) {
        return name.equals("README.md") || (isOfTheSite(name) && !DESIGN.contains(name));
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

    private static long words(List<Page> pages) {
        return pages.stream()
                .mapToLong(page -> words(String.join("\n", page.prose())))
                .sum();
    }

    private static long words(String text) {
        return Arrays.stream(text.trim().split("\\s+"))
                .filter(word -> word.chars().anyMatch(Character::isLetterOrDigit))
                .count();
    }
}

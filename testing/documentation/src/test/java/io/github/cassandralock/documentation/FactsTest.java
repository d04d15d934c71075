package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fact stands once in the pages for users; other pages link to it. Costs nothing; catches copies of a fact. */
class FactsTest {

    @ParameterizedTest
    @CsvSource({
        "one and a half leases, 1",
        "commitlog_sync, 4",
        "50 ms, 3",
        "seven days, 1",
        "`SELECT` and `MODIFY`, 2",
        "two hours, 2",
        "is not reentrant, 1",
        "19 minutes, 1"
    })
    void factStandsOnFewPages(String fact, int pages) {
        Predicate<String> hasFact =
                Pattern.compile("(?<![\\d.])" + Pattern.quote(fact)).asPredicate();
        assertThat(Page.all().stream()
                        .filter(page -> WordsTest.isForUsers(page.name()))
                        .filter(page -> hasFact.test(String.join(" ", page.lines())))
                        .map(Page::name))
                .hasSizeBetween(1, pages);
    }
}

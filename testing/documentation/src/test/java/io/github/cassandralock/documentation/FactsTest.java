package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(Page.all().stream()
                        .filter(page -> WordsTest.isForUsers(page.name()))
                        .filter(page -> String.join(" ", page.lines()).contains(fact))
                        .map(Page::name))
                .hasSizeBetween(1, pages);
    }
}

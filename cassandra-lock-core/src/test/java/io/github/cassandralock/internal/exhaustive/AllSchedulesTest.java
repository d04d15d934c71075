package io.github.cassandralock.internal.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No schedule of a small scope has a violation. Costs two minutes on two cores, and 40 minutes in nightly builds. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AllSchedulesTest {

    private static final String LARGER =
            "TWICE|PAUSE|HOLDER_PAUSES|THREE_TIME_OUTS|THREE_CRASH|LOST_ANSWER|THREE_TWICE|DOWN_AND_UP|UP_AND_DOWN"
                    + "|PARTLY_DOWN|SIDEWAYS|BOTH_CONVERT|CONVERTER_AND_NEWCOMER|COMES_BACK|BOTH_COME_BACK|COPIES|KEEPS";

    private final List<String> rows = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = LARGER)
    void noScheduleHasAViolation(Scope scope) {
        search(scope);
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = LARGER)
    void noScheduleOfALargerScopeHasAViolation(Scope scope) {
        search(scope);
    }

    private void search(Scope scope) {
        long begin = System.nanoTime();
        StateSearch.Result result = StateSearch.of(scope);
        assertThat(result.violations()).isEmpty();
        rows.add(String.format(
                Locale.ROOT,
                "| %s | %,d | %d%s | %.0f |%n",
                scope.text(),
                result.states(),
                result.longest(),
                result.complete() ? "" : " (bound)",
                (System.nanoTime() - begin) / 1e9));
    }

    @AfterAll
    void writeTheFiguresOfThePage() throws IOException {
        ResultFile.write(
                "all-schedules",
                "| what happens | states | steps of the longest schedule | seconds |\n|---|---|---|---|\n",
                rows);
    }
}

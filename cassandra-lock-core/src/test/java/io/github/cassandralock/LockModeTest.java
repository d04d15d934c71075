package io.github.cassandralock;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The relations of the modes. Compatibility is compared with a table that is written down here; covering is compared with
 * compatibility. Neither is derived from the other.
 */
class LockModeTest {

    private static final List<LockMode> COLUMNS =
            List.of(NULL, CONCURRENT_READ, CONCURRENT_WRITE, PROTECTED_READ, PROTECTED_WRITE, EXCLUSIVE);

    /** The table of OpenVMS. {@code LockModesIT} compares locks on a real node with the same table. */
    @ParameterizedTest
    @CsvSource({
        //                  NL  CR  CW  PR  PW  EX
        "NULL,             yes yes yes yes yes yes",
        "CONCURRENT_READ,  yes yes yes yes yes no ",
        "CONCURRENT_WRITE, yes yes yes no  no  no ",
        "PROTECTED_READ,   yes yes no  yes no  no ",
        "PROTECTED_WRITE,  yes yes no  no  no  no ",
        "EXCLUSIVE,        yes no  no  no  no  no ",
    })
    void modesAreCompatibleAsTheTableOfOpenVmsSays(LockMode held, String cells) {
        List<String> answers = COLUMNS.stream()
                .map(asked -> held.isCompatibleWith(asked) ? "yes" : "no")
                .toList();
        assertThat(answers).containsExactly(cells.trim().split(" +"));
    }

    @ParameterizedTest
    @EnumSource
    void compatibilityHasNoDirection(LockMode mode) {
        for (LockMode other : LockMode.values()) {
            assertThat(mode.isCompatibleWith(other))
                    .as("%s with %s", mode, other)
                    .isEqualTo(other.isCompatibleWith(mode));
        }
    }

    @ParameterizedTest
    @EnumSource
    void coversExactlyThoseThatKeepOutNobodyElse(LockMode mode) {
        for (LockMode other : LockMode.values()) {
            assertThat(mode.covers(other))
                    .as("%s covers %s", mode, other)
                    .isEqualTo(conflicting(mode).containsAll(conflicting(other)));
        }
    }

    /** So one slot in the strongest of these modes stands for all of them. */
    @ParameterizedTest
    @EnumSource
    void ofTwoCompatibleModesOneCoversTheOther(LockMode mode) {
        for (LockMode other : LockMode.values()) {
            if (mode.isCompatibleWith(other)) {
                assertThat(mode.covers(other) || other.covers(mode))
                        .as("%s and %s", mode, other)
                        .isTrue();
            }
        }
    }

    private static Set<LockMode> conflicting(LockMode mode) {
        return Arrays.stream(LockMode.values())
                .filter(other -> !mode.isCompatibleWith(other))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(LockMode.class)));
    }
}

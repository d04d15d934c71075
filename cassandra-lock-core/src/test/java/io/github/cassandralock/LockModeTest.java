package io.github.cassandralock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The two relations of the modes against each other: each is written down, neither is derived from the other. */
class LockModeTest {

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

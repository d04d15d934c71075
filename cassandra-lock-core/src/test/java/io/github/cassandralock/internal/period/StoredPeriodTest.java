package io.github.cassandralock.internal.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.cassandralock.internal.store.UnusableValueException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stored form of periods, and their order. Costs nothing. Catches a type whose periods are read otherwise than they are written. */
class StoredPeriodTest {

    private static StoredPeriod readAgain(Object period) {
        return StoredPeriod.read("k", StoredPeriod.of(period).bytes()).orElseThrow();
    }

    private static void assertOrder(Object earlier, Object later) {
        assertThat(readAgain(later)).isEqualTo(StoredPeriod.of(later));
        assertThat(StoredPeriod.of(later).isLaterThan(readAgain(earlier), "k")).isTrue();
        assertThat(StoredPeriod.of(earlier).isLaterThan(readAgain(later), "k")).isFalse();
        assertThat(StoredPeriod.of(later).isLaterThan(readAgain(later), "k")).isFalse();
    }

    @Test
    void eachTypeIsReadAsItWasWrittenAndKeepsItsOrder() {
        assertOrder(LocalDate.of(2026, 9, 30), LocalDate.of(2026, 10, 1));
        assertOrder(LocalDate.of(9_999, 12, 31), LocalDate.MAX);
        assertOrder(LocalDateTime.of(2026, 1, 1, 0, 0), LocalDateTime.of(2026, 1, 1, 0, 0, 0, 1));
        assertOrder(Instant.EPOCH.minusNanos(1), Instant.EPOCH);
        assertOrder(YearMonth.of(2026, 9), YearMonth.of(2026, 10));
        assertOrder(Year.of(900), Year.of(2026));
        assertOrder("2026-W09", "2026-W10");
        assertOrder(9, 10);
        assertOrder(-1L, (byte) 0);
        assertOrder(Long.MAX_VALUE, BigInteger.valueOf(Long.MAX_VALUE).add(BigInteger.ONE));
    }

    @Test
    void integersOfAllSizesAreOneType() {
        assertThat(StoredPeriod.of(7)).isEqualTo(StoredPeriod.of(7L)).isEqualTo(StoredPeriod.of((short) 7));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {" ", "\ud800"})
    void periodThatCannotBeStoredIsRefused(@Nullable String period) {
        assertThatIllegalArgumentException().isThrownBy(() -> StoredPeriod.of(period));
    }

    @Test
    void typeWithoutAStoredFormIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoredPeriod.of(ZoneOffset.UTC))
                .withMessageContainingAll("java.time.ZoneOffset", "LocalDate");
        assertThatIllegalArgumentException().isThrownBy(() -> StoredPeriod.of(OffsetDateTime.MIN));
        assertThatIllegalArgumentException().isThrownBy(() -> StoredPeriod.of(1.5));
        assertThatIllegalArgumentException().isThrownBy(() -> StoredPeriod.of(YearMonth.of(10_000, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> StoredPeriod.of("x".repeat(1_024)));
    }

    @Test
    void periodsOfTwoTypesHaveNoOrder() {
        assertThatExceptionOfType(UnusableValueException.class)
                .isThrownBy(() -> StoredPeriod.of(Year.of(2027)).isLaterThan(StoredPeriod.of(2026), "billing"))
                .withMessageContainingAll("'billing'", "2027", "Year", "2026", "integer", "another lock id");
    }

    @Test
    void periodReplacesAnEarlierOneOrTheSameAndNothingElse() {
        byte[] second = StoredPeriod.of(2).bytes();
        StoredPeriod.requireOrder("billing", new byte[0], second);
        StoredPeriod.requireOrder("billing", StoredPeriod.of(1).bytes(), second);
        StoredPeriod.requireOrder("billing", second, second);
        assertThatExceptionOfType(UnusableValueException.class)
                .isThrownBy(() ->
                        StoredPeriod.requireOrder("billing", StoredPeriod.of(3).bytes(), second))
                .withMessageContainingAll("period 2", "'billing'", "later one, 3");
        assertThatExceptionOfType(UnusableValueException.class)
                .isThrownBy(() -> StoredPeriod.requireOrder(
                        "billing", StoredPeriod.of(Year.of(1)).bytes(), second))
                .withMessageContainingAll("is of type integer", "is of type Year");
        assertThatExceptionOfType(UnusableValueException.class)
                .isThrownBy(() -> StoredPeriod.requireOrder("billing", new byte[] {1}, second))
                .withMessageContaining("value of the application");
    }

    @Test
    void valueThatIsNoPeriodIsRefused() {
        byte[] ofTheApplication = "period LocalDate 2026-01-01".getBytes(StandardCharsets.UTF_8);
        assertThat(StoredPeriod.isIn(ofTheApplication)).isFalse();
        assertThatExceptionOfType(UnusableValueException.class)
                .isThrownBy(() -> StoredPeriod.read("billing", ofTheApplication))
                .withMessageContaining("'billing'");
        assertThat(StoredPeriod.read("billing", new byte[0])).isEmpty();
    }

    @Test
    void typeOfALaterVersionIsRefused() {
        byte[] later = "\0period Quarter 2026-Q3".getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(UnusableValueException.class)
                .isThrownBy(() -> StoredPeriod.read("billing", later))
                .withMessageContaining("cannot read");
    }
}

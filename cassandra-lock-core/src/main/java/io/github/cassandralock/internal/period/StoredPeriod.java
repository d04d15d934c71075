package io.github.cassandralock.internal.period;

import io.github.cassandralock.LockValue;
import io.github.cassandralock.internal.store.UnusableValueException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A period for which work runs once (lock modes, section 6). As the value of a lock, it is a mark, the name of its type, and its
 * text. Immutable.
 */
public final class StoredPeriod {

    /** Begins with a byte that no text of an application contains. */
    private static final byte[] MARK = "\0period ".getBytes(StandardCharsets.UTF_8);

    private static final String TYPES = "a LocalDate, LocalDateTime, Instant, YearMonth, Year, an integer or a text";

    @SuppressWarnings("ImmutableEnumChecker") // the function has no state, and the set does not change
    private enum Type {
        INTEGER("integer", BigInteger::new, Byte.class, Short.class, Integer.class, Long.class, BigInteger.class),
        TEXT("text", text -> text, String.class),
        LOCAL_DATE("LocalDate", LocalDate::parse, LocalDate.class),
        LOCAL_DATE_TIME("LocalDateTime", LocalDateTime::parse, LocalDateTime.class),
        INSTANT("Instant", Instant::parse, Instant.class),
        YEAR_MONTH("YearMonth", YearMonth::parse, YearMonth.class),
        YEAR("Year", text -> Year.of(Integer.parseInt(text)), Year.class);

        private final String name;
        private final Function<String, Comparable<?>> parse;
        private final Set<Class<?>> classes;

        Type(String name, Function<String, Comparable<?>> parse, Class<?>... classes) {
            this.name = name;
            this.parse = parse;
            this.classes = Set.of(classes);
        }

        private StoredPeriod read(String text) {
            return new StoredPeriod(this, parse.apply(text));
        }

        static Optional<Type> first(Predicate<Type> wanted) {
            return Stream.of(values()).filter(wanted).findFirst();
        }
    }

    private final Type type;
    private final Comparable<?> period;

    private StoredPeriod(Type type, Comparable<?> period) {
        this.type = type;
        this.period = period;
    }

    /**
     * Checks a period.
     *
     * @throws IllegalArgumentException if it is null, of a type without a stored form, a blank text, or too long
     */
    public static StoredPeriod of(@Nullable Object period) {
        if (period == null) {
            throw new IllegalArgumentException("The period is null; it must be " + TYPES);
        }
        Type type = Type.first(known -> known.classes.contains(period.getClass()))
                .orElseThrow(() -> new IllegalArgumentException(
                        "The period is of type " + period.getClass().getName() + "; it must be " + TYPES));
        String text = period.toString();
        if (text.isBlank()) {
            throw new IllegalArgumentException("The period is a blank text; pass a text that grows with each period");
        }
        try {
            StoredPeriod stored = type.read(text);
            if (stored.bytes().length <= LockValue.MAX_BYTES && stored.equals(decoded(stored.bytes()))) {
                return stored;
            }
        } catch (DateTimeException e) {
            // It has no text that can be read again.
        }
        throw new IllegalArgumentException("The period cannot be stored. It is longer than " + LockValue.MAX_BYTES
                + " bytes, out of range, or a text that UTF-8 cannot express");
    }

    /** Whether the value of a lock is a period. */
    public static boolean isIn(byte[] value) {
        return value.length >= MARK.length && Arrays.equals(MARK, Arrays.copyOf(value, MARK.length));
    }

    /**
     * Reads the last completed period of a lock.
     *
     * @return empty if none was completed
     * @throws UnusableValueException if the value is no period, or of a type that this version does not have
     */
    public static Optional<StoredPeriod> read(String lockId, byte[] value) {
        if (value.length == 0) {
            return Optional.empty();
        }
        if (!isIn(value)) {
            throw new UnusableValueException(
                    "Lock '" + lockId
                            + "' has a value of the application, so it cannot keep a period; take another lock id for the period");
        }
        try {
            return Optional.of(decoded(value));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new UnusableValueException(
                    "Lock '" + lockId
                            + "' has a period that this version of cassandra-lock cannot read; use the version of the other instances");
        }
    }

    /**
     * Checks that the periods of a lock stay in their order.
     *
     * @param present the value of the lock
     * @param recorded the period that is to replace it
     * @throws UnusableValueException if the value is a later period, a period of another type, or no period
     */
    public static void requireOrder(String lockId, byte[] present, byte[] recorded) {
        StoredPeriod period = decoded(recorded);
        read(lockId, present).ifPresent(last -> period.requireNotEarlierThan(last, lockId));
    }

    private void requireNotEarlierThan(StoredPeriod last, String lockId) {
        if (!isLaterThan(last, lockId) && !equals(last)) {
            throw new UnusableValueException("The period " + this + " of lock '" + lockId
                    + "' was not recorded, because a later one, " + last
                    + ", is recorded already; complete the periods of a lock in their order");
        }
    }

    private static StoredPeriod decoded(byte[] value) {
        String stored = new String(value, MARK.length, value.length - MARK.length, StandardCharsets.UTF_8);
        int space = stored.indexOf(' ');
        String name = stored.substring(0, Math.max(space, 0));
        return Type.first(known -> known.name.equals(name))
                .orElseThrow(() -> new IllegalArgumentException("unknown type of a period"))
                .read(stored.substring(space + 1));
    }

    /** The value that stores it. */
    public byte[] bytes() {
        byte[] text = (type.name + " " + period).getBytes(StandardCharsets.UTF_8);
        byte[] value = Arrays.copyOf(MARK, MARK.length + text.length);
        System.arraycopy(text, 0, value, MARK.length, text.length);
        return value;
    }

    /**
     * Whether it is later than the last completed one.
     *
     * @throws UnusableValueException if the two are of different types
     */
    @SuppressWarnings("unchecked") // periods of one type are compared with each other
    public boolean isLaterThan(StoredPeriod last, String lockId) {
        if (type != last.type) {
            throw new UnusableValueException("The period " + this + " of lock '" + lockId + "' is of type " + type.name
                    + ". The last completed period, " + last + ", is of type " + last.type.name
                    + ", and the two have no order. Use one type in all instances, or another lock id for the"
                    + " new type");
        }
        return ((Comparable<Object>) period).compareTo(last.period) > 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredPeriod stored && type == stored.type && period.equals(stored.period);
    }

    @Override
    public int hashCode() {
        return period.hashCode();
    }

    /** The text of the period. */
    @Override
    public String toString() {
        return period.toString();
    }
}

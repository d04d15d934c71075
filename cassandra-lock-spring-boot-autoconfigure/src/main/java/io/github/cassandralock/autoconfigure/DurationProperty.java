package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;

/**
 * The value of a property that is a time. Each check throws {@link InvalidLockPropertyException}.
 *
 * @param name of the property
 * @param example a value that is right
 */
record DurationProperty(String name, Duration value, String example) {

    void requireNotNegative() {
        require(!value.isNegative(), "must not be less than zero");
    }

    /** @param problem says which times are right */
    void requireWithin(Duration shortest, Duration longest, String problem) {
        require(value.compareTo(shortest) >= 0 && value.compareTo(longest) <= 0, problem);
    }

    /** @param consequence of a longer one, which ends the message; may be empty */
    void requireAtMostAQuarter(Duration lease, String consequence) {
        requirePart(4, "must be at most a quarter", lease, consequence);
    }

    void requireAtMostAThird(Duration lease, String consequence) {
        requirePart(3, "must be at most a third", lease, consequence);
    }

    private void requirePart(int parts, String part, Duration lease, String consequence) {
        require(
                value.multipliedBy(parts).compareTo(lease) <= 0,
                part + " of 'cassandra-lock.lease', which is '" + DurationText.exactly(lease) + "'" + consequence);
    }

    private void require(boolean right, String problem) {
        if (!right) {
            throw new InvalidLockPropertyException(name, value, problem, example, null);
        }
    }
}

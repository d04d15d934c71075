package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;

/**
 * A property whose value is a time. Each check throws {@link InvalidLockPropertyException}.
 *
 * @param name of the property
 * @param example a value that is right
 */
public record DurationProperty(String name, Duration value, String example) {

    public void requireNotNegative() {
        require(!value.isNegative(), "must not be less than zero");
    }

    /** @param consequence of a longer value, which ends the message */
    public void requireAtMostAThird(Duration lease, String consequence) {
        require(
                value.multipliedBy(3).compareTo(lease) <= 0,
                "must be at most a third of 'cassandra-lock.lease', which is '" + DurationText.exactly(lease) + "'"
                        + consequence);
    }

    private void require(boolean right, String problem) {
        if (!right) {
            throw new InvalidLockPropertyException(name, value, problem, example, null);
        }
    }
}

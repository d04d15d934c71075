package io.github.cassandralock.internal.key;

/** What a {@code +} of two numbers is in an expression. */
public enum Sums {
    /** A mistake, unless one number is a literal: in a key, the author meant to join two numbers. */
    MISTAKES,

    /** A number, such as {@code #year * 12 + #month}. */
    NUMBERS
}

package io.github.cassandralock.internal.structure;

/** A state of two kinds, one of which is in a file of its own. */
sealed interface Lamp permits Lamp.Red, GreenLamp {

    record Red() implements Lamp {}

    default boolean isRed() {
        return this instanceof Red;
    }
}

package io.github.cassandralock.internal.seeded;

import java.util.List;
import java.util.function.LongFunction;

/**
 * Schedules of one kind: for a seed, the violations. Implemented by an enum, whose constants are found again in the classes that a
 * fault loads.
 */
public interface PlantedSchedules extends LongFunction<List<String>> {

    /** The name of the constant. */
    String name();

    /** The package, with a dot at its end, to which the names of classes in a {@link Fault} are relative. */
    String basePackage();

    /** The beginnings of names, relative to the base package, of the classes that a fault loads again. */
    List<String> reloaded();

    /**
     * The beginnings of names, relative to the base package, of the classes in which faults replace whole methods only. If a fault needs
     * a statement there, the decision deserves a name.
     */
    default List<String> onlyWholeMethods() {
        return List.of();
    }
}

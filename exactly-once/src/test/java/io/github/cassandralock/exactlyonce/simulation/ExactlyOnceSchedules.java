package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.internal.seeded.PlantedSchedules;
import java.util.List;

/** Schedules of this module: faults may be planted into any of its classes, so a mutant loads all of them again. */
public interface ExactlyOnceSchedules extends PlantedSchedules {

    @Override
    default String basePackage() {
        return "io.github.cassandralock.exactlyonce.";
    }

    @Override
    default List<String> reloaded() {
        return List.of("");
    }
}

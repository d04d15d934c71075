package io.github.cassandralock.autoconfigure;

import java.util.stream.Stream;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The configurations of the packages below this one, in the order in which their conditions are evaluated. They use the properties
 * of this package, so it names them and does not use their classes.
 */
final class LockConfigurations implements ImportSelector {

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        return Stream.of(
                        "locker.LockerConfiguration",
                        "meters.LockMetricsConfiguration",
                        "meters.LockObservationConfiguration",
                        "annotation.LockAspectConfiguration",
                        "annotation.ReactiveCurrentLockConfiguration",
                        "operator.LockHealthConfiguration",
                        "operator.ForceReleaseConfiguration",
                        "operator.LockInspectorConfiguration",
                        "operator.LockEndpointConfiguration",
                        "adapters.ReentrantLocksConfiguration",
                        "adapters.LockRegistryConfiguration",
                        "adapters.ShedLockConfiguration")
                .map(name -> getClass().getPackageName() + "." + name)
                .toArray(String[]::new);
    }
}

package io.github.cassandralock.autoconfigure;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The configurations of the packages below this package, in the order in which their conditions are evaluated. They use the
 * properties of this package, so it names them and does not use their classes.
 */
public final class LockConfigurations implements ImportSelector {

    private static final List<String> OF_EACH_LOCKER = List.of(
            "meters.LockMonitoringConfiguration",
            "operator.LockInspectionConfiguration",
            "adapters.LockAdaptersConfiguration");

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        return classNames(Stream.of(
                        List.of("locker.ApplicationLockerConfiguration"),
                        OF_EACH_LOCKER,
                        List.of(
                                "annotation.LockAspectConfiguration",
                                "annotation.ReactiveCurrentLockConfiguration",
                                "operator.LockHealthConfiguration",
                                "operator.LockEndpointConfiguration",
                                "locker.NamedLockersConfiguration"))
                .flatMap(List::stream));
    }

    private static String[] classNames(Stream<String> relative) {
        String parent = LockConfigurations.class.getPackageName();
        return relative.map(name -> parent + "." + name).toArray(String[]::new);
    }

    /** The configurations of a named locker's bean factory, beside the locker's own configuration. */
    public static final class OfNamedLocker implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return classNames(OF_EACH_LOCKER.stream());
        }
    }
}

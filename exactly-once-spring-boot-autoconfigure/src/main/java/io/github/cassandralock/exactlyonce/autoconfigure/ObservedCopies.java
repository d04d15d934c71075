package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.DeferredRegisterStore;
import io.github.cassandralock.internal.exactlyonce.Runner;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/**
 * What this instance runs, for operators.
 *
 * @param declared handlers, sinks and pumps, if the application declares any
 * @param methods with {@code @ExactlyOnce}
 * @param store of registers, if it is not the application's own
 */
record ObservedCopies(
        ObjectProvider<CopyLifecycle> declared, MethodCopies methods, ObjectProvider<DeferredRegisterStore> store) {

    /** Why the store of registers cannot be used. */
    Optional<String> storeProblem() {
        return Optional.ofNullable(store.getIfAvailable()).flatMap(DeferredRegisterStore::problem);
    }

    /** What is run. Methods are missing before all beans are made. */
    List<Runner> runners() {
        return Stream.concat(
                        declared.stream().map(CopyLifecycle::runners).flatMap(List::stream), methods.runners().stream())
                .toList();
    }

    /** What is run, when all beans are made. Called by the thread that starts the application. */
    List<Runner> prepared() {
        methods.prepared();
        return runners();
    }
}

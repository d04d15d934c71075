package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;
import java.util.function.Predicate;

/**
 * What the locks of the application can do.
 *
 * @param algorithm its name, for messages
 * @param supported whether locks can be held in this mode
 * @param keepsValues whether locks have values, which recording periods needs
 * @param permits whether locks may have several permits
 */
public record AlgorithmSupport(String algorithm, Predicate<LockMode> supported, boolean keepsValues, boolean permits) {

    /** @throws MistakenAnnotationException if the algorithm cannot take the lock as annotated */
    void requireFor(LockOperation operation) {
        if (operation.hasPeriod() && !keepsValues) {
            throw new MistakenAnnotationException("@DistributedLock on " + operation.methodName()
                    + " has onceFor. Locks of the algorithm '" + algorithm
                    + "' have no value that could keep the last completed period. Move all instances to the algorithm"
                    + " 'ticket', in the steps of docs/guide/moving.md, or record under the lock what has run");
        }
        if (operation.permits() > 1 && !permits) {
            throw new MistakenAnnotationException("@DistributedLock on " + operation.methodName() + " has "
                    + operation.permits() + " permits, but the algorithm '" + algorithm
                    + "' supports one holder only; remove permits, or move all instances to the algorithm 'ticket', in the steps of"
                    + " docs/guide/moving.md");
        }
        if (!supported.test(operation.mode())) {
            throw new MistakenAnnotationException(
                    "@DistributedLock on " + operation.methodName() + " has the mode " + operation.mode()
                            + ", but the algorithm '" + algorithm
                            + "' does not support it. Remove the mode, so that the lock is EXCLUSIVE. Or move all"
                            + " instances to the algorithm 'ticket', in the steps of docs/guide/moving.md");
        }
    }
}

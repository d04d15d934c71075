package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;

/** The permits of an annotation. Without state. */
final class AnnotatedPermits {

    private AnnotatedPermits() {}

    /** @throws MistakenAnnotationException if their number is out of bounds, or other attributes exclude permits */
    static void require(DistributedLock annotation, String name) {
        int permits = annotation.permits();
        if (permits < 1 || permits > LockRequest.MAX_PERMITS) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " has permits = " + permits
                    + ", which is not from one to " + LockRequest.MAX_PERMITS
                    + "; set how many calls may run at the same time");
        }
        if (permits > 1 && annotation.mode() != LockMode.EXCLUSIVE) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " has permits = " + permits
                    + " and the mode " + annotation.mode()
                    + ", but permits are for the mode EXCLUSIVE only; remove the mode or the permits");
        }
        if (permits > 1 && !annotation.onceFor().isBlank()) {
            throw new MistakenAnnotationException("@DistributedLock on " + name + " has permits = " + permits
                    + " and onceFor, but a period is completed by one holder at a time; remove the permits");
        }
    }
}

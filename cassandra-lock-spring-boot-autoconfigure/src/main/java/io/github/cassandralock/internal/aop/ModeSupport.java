package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;

/** Which modes the locks of the application can have. */
public interface ModeSupport {

    /** Whether locks can be held in this mode. */
    boolean supports(LockMode mode);

    /** The name of the algorithm, for messages. */
    String algorithm();
}

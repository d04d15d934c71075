package io.github.cassandralock.internal.seeded;

import java.util.List;

/** An event that must never happen. */
public interface ViolationKind {

    /** Those of this kind. */
    List<String> among(List<String> violations);
}

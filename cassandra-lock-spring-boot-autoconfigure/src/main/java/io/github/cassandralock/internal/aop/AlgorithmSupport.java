package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;
import java.util.function.Predicate;

/**
 * What the locks of the application can do.
 *
 * @param algorithm its name, for messages
 * @param supported whether locks can be held in this mode
 * @param keepsValues whether locks have values, and so can record periods
 */
public record AlgorithmSupport(String algorithm, Predicate<LockMode> supported, boolean keepsValues) {}

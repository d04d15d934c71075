package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockMode;
import java.util.function.Predicate;

/**
 * Which modes the locks of the application can have.
 *
 * @param algorithm its name, for messages
 * @param supported whether locks can be held in this mode
 */
public record ModeSupport(String algorithm, Predicate<LockMode> supported) {}

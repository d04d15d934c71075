package io.github.cassandralock.internal.startup;

/**
 * One try to create something.
 *
 * @param <T> what is created
 */
@FunctionalInterface
public interface Creation<T> {

    /**
     * May block.
     *
     * @throws Exception if it cannot be created now
     */
    T create(StartProgress progress) throws Exception;
}

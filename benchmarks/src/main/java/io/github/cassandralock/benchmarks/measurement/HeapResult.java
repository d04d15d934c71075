package io.github.cassandralock.benchmarks.measurement;

/**
 * A row of {@code crowd-heap.json}: what a crowd of contenders costs the processes that it is in.
 *
 * @param algorithm who gave the locks
 * @param processes how many
 * @param contenders of all of them together
 * @param mostBytes the heap that is in use after a garbage collection in the process in which that is most
 */
public record HeapResult(String algorithm, int processes, int contenders, long mostBytes) {}

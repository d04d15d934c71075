package io.github.cassandralock.benchmarks.processor;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.LongStream;

/** The bytes that threads of this process have allocated since they began. */
public final class Allocation {

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private Allocation() {}

    /** The sum of all threads that are alive. The bytes of a thread that ends are in no later sum. */
    public static long ofLiveThreads() {
        return LongStream.of(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    public static long ofThisThread() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}

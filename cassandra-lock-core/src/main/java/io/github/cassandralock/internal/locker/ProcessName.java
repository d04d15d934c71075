package io.github.cassandralock.internal.locker;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** A name of this process for people who read tables and logs: its host and process id. No decision depends on it. */
public final class ProcessName {

    private ProcessName() {}

    /** For example {@code billing-3-4711}. */
    public static String ofThisProcess() {
        return hostName() + "-" + ProcessHandle.current().pid();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }
}

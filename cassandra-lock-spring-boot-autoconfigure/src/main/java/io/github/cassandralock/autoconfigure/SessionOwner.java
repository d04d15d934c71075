package io.github.cassandralock.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Names this process for people who read the sessions' table. Decides nothing. */
final class SessionOwner {

    private SessionOwner() {}

    static String describe(@Nullable String application) {
        return hostName() + " " + ProcessHandle.current().pid() + (application == null ? "" : " " + application);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }
}

package io.github.cassandralock.it;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.springframework.boot.WebApplicationType;

/** A process of its own on a host of its own: a web application whose threads hold locks and wait for them, until it is killed. */
final class FleetInstance {

    private static final String KEYSPACE = "fleet";
    private static final long WORK_NANOS = 20_000_000;
    private static final String READY = "INSTANCE LISTENS ON ";

    /** What a thread does. */
    private enum Kind {
        HOLD,
        WAIT,
        REPEAT;

        /** Never returns: a lock that is held stays with its thread. */
        private void call(RemoteLocker locker, String lockId, CountDownLatch granted) {
            while (true) {
                RemoteLock lock = locker.getLock(lockId);
                granted.countDown();
                if (this == REPEAT) {
                    LockSupport.parkNanos(WORK_NANOS);
                } else {
                    awaitEndOfProcess();
                }
                lock.close();
            }
        }

        private static void awaitEndOfProcess() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts the threads of an instance", e);
            }
        }
    }

    /** A call on a thread of this name. */
    record Call(Kind kind, String lockId, String thread) {

        private static final String SEPARATOR = ",";

        static Call hold(String lockId, String thread) {
            return new Call(Kind.HOLD, lockId, thread);
        }

        static Call waitFor(String lockId, String thread) {
            return new Call(Kind.WAIT, lockId, thread);
        }

        static Call repeat(String lockId, String thread) {
            return new Call(Kind.REPEAT, lockId, thread);
        }

        private String text() {
            return String.join(SEPARATOR, kind.name(), lockId, thread);
        }

        private static Call of(String text) {
            String[] parts = text.split(SEPARATOR, -1);
            return new Call(Kind.valueOf(parts[0]), parts[1], parts[2]);
        }

        private void begin(RemoteLocker locker) throws InterruptedException {
            CountDownLatch granted = new CountDownLatch(1);
            Thread calling = new Thread(() -> kind.call(locker, lockId, granted), thread);
            calling.setDaemon(true);
            calling.start();
            if (kind == Kind.HOLD) {
                granted.await();
            }
        }
    }

    private FleetInstance() {}

    /** Returns when the instance listens and holds what it is to hold. */
    static JvmProcess start(CassandraCluster cluster, String host, String application, List<Call> calls)
            throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of(cluster.contactPoints(), cluster.localDatacenter(), application));
        calls.forEach(call -> arguments.add(call.text()));
        return JvmProcess.startOnHost(host, FleetInstance.class, arguments);
    }

    /** The address of its page. */
    static String page(JvmProcess instance) throws IOException {
        return instance.awaitLine(READY).substring(READY.length());
    }

    /** @param arguments contact points, data centre, application, and calls */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        CassandraCluster cluster = new CassandraCluster(arguments[0], arguments[1], () -> "", () -> {});
        try (Application application = LocksEndpoint.start(
                WebApplicationType.SERVLET, cluster, KEYSPACE, "--spring.application.name=" + arguments[2])) {
            for (String text : Arrays.asList(arguments).subList(3, arguments.length)) {
                Call.of(text).begin(application.locker());
            }
            System.out.println(READY + application.managementAddress(LocksEndpoint.PATH));
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }
}

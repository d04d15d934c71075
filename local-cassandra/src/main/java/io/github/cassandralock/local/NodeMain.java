package io.github.cassandralock.local;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.StringJoiner;

/**
 * The main class of a node's process: Cassandra, tied to the process that started it. Not for use by applications.
 *
 * <p>Standard input is a pipe to which the parent never writes. Its end means that the parent is gone, for whatever reason, and
 * halts the node. Each line of standard output is one report for {@link NodeReports}. Only this class is copied to the node, so it
 * uses nothing but the JDK, and Cassandra by reflection.
 */
public final class NodeMain {

    static final String PREFIX = "local-cassandra ";
    static final String PID = "pid ";
    static final String STARTED = "started";
    static final String VIEW = "view ";

    /** How late a timed wait of the node's threads may end, in nanoseconds, see {@link #allowLateWakeUps}. */
    static final String TIMER_SLACK = "local-cassandra.timer-slack-nanos";

    private static final Path CALLING_THREAD = Path.of("/proc/thread-self");
    private static final int PARENT_GONE = 3;
    private static final int FAILED = 4;
    private static final long VIEW_PERIOD_MILLIS = 200;

    private final PrintStream reports;

    private NodeMain(PrintStream reports) {
        this.reports = reports;
    }

    public static void main(String[] args) {
        PrintStream reports = System.out;
        System.setOut(System.err);
        new NodeMain(reports).run();
    }

    private void run() {
        Thread watch = new Thread(NodeMain::haltWithParent, "local-cassandra-parent-watch");
        watch.setDaemon(true);
        watch.start();
        report(PID + ProcessHandle.current().pid());
        try {
            ignoreTerminalInterrupt();
            allowLateWakeUps(System.getProperty(TIMER_SLACK));
            Class.forName("org.apache.cassandra.service.CassandraDaemon")
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
            report(STARTED);
            reportViews();
        } catch (ReflectiveOperationException e) {
            e.printStackTrace();
            Runtime.getRuntime().exit(FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report(String line) {
        reports.println(PREFIX + line);
        reports.flush();
    }

    private static void haltWithParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever sent; only the end matters
            }
        } catch (IOException e) {
            // a broken pipe ends the input like a closed one
        }
        Runtime.getRuntime().halt(PARENT_GONE);
    }

    /**
     * Ctrl-C goes to all processes of a terminal, but the parent decides when a node ends. An application may need its database
     * during its shutdown. By reflection, since compilers warn of this class.
     */
    private static void ignoreTerminalInterrupt() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object ignore = Proxy.newProxyInstance(
                NodeMain.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> null);
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance("INT"), ignore);
    }

    /**
     * While a node has anything to do, its idle threads poll for work every ten microseconds. That is cheap for a node with
     * processors of its own. Where several nodes share a few processors, these polls take most of the computing time. Linux ends
     * timers together that are due at nearly the same time, by default within 50 microseconds. A thread may raise that slack, for
     * itself and for the threads that it starts. On other systems this does nothing.
     */
    static void allowLateWakeUps(String nanos) {
        if (!Files.exists(CALLING_THREAD)) {
            return;
        }
        try {
            Files.writeString(timerSlack(), nanos);
        } catch (IOException e) {
            System.err.println("The node works, but may take more of the processors. The precision of its timers cannot"
                    + " be changed: " + e);
        }
    }

    /** The file with the timer slack of the calling thread on Linux. */
    static Path timerSlack() throws IOException {
        String thread = CALLING_THREAD.toRealPath().getFileName().toString();
        return Path.of("/proc", thread, "timerslack_ns");
    }

    /** Reports, at each change, which nodes this node sees up, each with its generation, which changes when it restarts. */
    private void reportViews() throws ReflectiveOperationException, InterruptedException {
        Object gossiper = instance("org.apache.cassandra.gms.Gossiper");
        Object detector = instance("org.apache.cassandra.gms.FailureDetector");
        Class<?> endpoint = Class.forName("org.apache.cassandra.locator.InetAddressAndPort");
        Method isAlive =
                Class.forName("org.apache.cassandra.gms.IFailureDetector").getMethod("isAlive", endpoint);
        Method members = gossiper.getClass().getMethod("getLiveMembers");
        Method generation = gossiper.getClass().getMethod("getCurrentGenerationNumber", endpoint);
        String last = "";
        while (!Thread.currentThread().isInterrupted()) {
            StringJoiner view = new StringJoiner(",");
            for (Object member : (Collection<?>) members.invoke(gossiper)) {
                if (Boolean.TRUE.equals(isAlive.invoke(detector, member))) {
                    view.add(host(member) + "=" + generationOf(member, generation, gossiper));
                }
            }
            if (!view.toString().equals(last)) {
                last = view.toString();
                report(VIEW + last);
            }
            Thread.sleep(VIEW_PERIOD_MILLIS);
        }
    }

    private static Object generationOf(Object member, Method generation, Object gossiper)
            throws ReflectiveOperationException {
        try {
            return generation.invoke(gossiper, member);
        } catch (InvocationTargetException e) {
            return -1; // removed since it was listed
        }
    }

    private static String host(Object member) {
        return ((InetSocketAddress) member).getAddress().getHostAddress();
    }

    private static Object instance(String className) throws ReflectiveOperationException {
        return Class.forName(className).getField("instance").get(null);
    }
}

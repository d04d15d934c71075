package io.github.cassandralock.faults.cluster;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Runs inside a node, and does there what {@code nodetool} does, by the same MBean, or drops messages to another node. The node
 * gets this class alone, so it uses nothing but the JDK, and Cassandra by reflection.
 */
public final class NodeAgent {

    /** Followed by the keyspace. */
    static final String REPAIR = "repair ";

    static final String DECOMMISSION = "decommission";

    /** Followed by the host to which messages are dropped. */
    static final String DROP = "drop ";

    static final String DELIVER = "deliver";

    /**
     * Followed by a file without spaces, a space, and a regular expression of the message at which the node dies: its verb and what
     * it carries. Of several nodes with the same file, the one that deletes it dies.
     */
    static final String DIE = "die ";

    private static final long LOOKS_MILLIS = 100;

    private NodeAgent() {}

    /** The JVM calls this when the agent is loaded. */
    public static void agentmain(String command) throws Exception {
        if (command.equals(DECOMMISSION)) {
            invoke("decommission", new Object[] {false}, "boolean");
        } else if (command.startsWith(REPAIR)) {
            repair(command.substring(REPAIR.length()));
        } else if (command.startsWith(DROP)) {
            String host = command.substring(DROP.length());
            filterMessages((message, to) -> !to.getAddress().getHostAddress().equals(host));
        } else if (command.startsWith(DIE)) {
            String[] death = command.substring(DIE.length()).split(" ", 2);
            dieAt(Path.of(death[0]), Pattern.compile(death[1], Pattern.DOTALL));
        } else if (command.equals(DELIVER)) {
            sink().getClass().getMethod("clear").invoke(sink());
        } else {
            throw new IllegalArgumentException("No command: " + command);
        }
    }

    private static Object invoke(String operation, Object[] arguments, String... types) throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName("org.apache.cassandra.db:type=StorageService"), operation, arguments, types);
    }

    private static void repair(String keyspace) throws JMException, InterruptedException {
        Map<String, String> options = Map.of("incremental", "false", "parallelism", "parallel", "repairPaxos", "true");
        Object number =
                invoke("repairAsync", new Object[] {keyspace, options}, String.class.getName(), Map.class.getName());
        String status = "IN_PROGRESS";
        while (status.equals("IN_PROGRESS")) {
            TimeUnit.MILLISECONDS.sleep(LOOKS_MILLIS);
            if (invoke("getParentRepairStatus", new Object[] {number}, "int") instanceof List<?> found) {
                status = String.valueOf(found.get(0));
            }
        }
        if (!status.equals("COMPLETED")) {
            throw new IllegalStateException("The repair of " + keyspace + " ended so: " + status);
        }
    }

    /** The message itself is not sent. */
    private static void dieAt(Path permit, Pattern death) throws ReflectiveOperationException {
        filterMessages((message, to) -> {
            if (death.matcher(text(message)).find() && permit.toFile().delete()) {
                Runtime.getRuntime().halt(1);
            }
            return true;
        });
    }

    private static String text(Object message) {
        try {
            return message.getClass().getMethod("verb").invoke(message) + " "
                    + message.getClass().getField("payload").get(message);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void filterMessages(BiPredicate<Object, InetSocketAddress> isSent)
            throws ReflectiveOperationException {
        sink().getClass().getMethod("add", BiPredicate.class).invoke(sink(), isSent);
    }

    /** Every message of the node to another goes through it. */
    private static Object sink() throws ReflectiveOperationException {
        Class<?> service = Class.forName("org.apache.cassandra.net.MessagingService");
        return service.getField("outboundSink")
                .get(service.getMethod("instance").invoke(null));
    }
}

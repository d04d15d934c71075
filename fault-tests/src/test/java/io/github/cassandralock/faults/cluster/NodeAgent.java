package io.github.cassandralock.faults.cluster;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Runs inside a node. It does what {@code nodetool} does, by the same MBean, or drops and delays messages to other nodes. The
 * node gets this class alone, so it uses nothing but the JDK, and Cassandra by reflection.
 */
public final class NodeAgent {

    /** Followed by the keyspace. */
    static final String REPAIR = "repair ";

    static final String DECOMMISSION = "decommission";

    /** Followed by the host to which messages are dropped. */
    static final String DROP = "drop ";

    /** Followed by the milliseconds by which messages to all nodes are late. */
    static final String DELAY = "delay ";

    static final String DELIVER = "deliver";

    /** Like {@link #DELIVER}, and fails if a filter has struck no message about data. */
    static final String HEAL = "heal";

    /**
     * Followed by a file without spaces, a space, and a regular expression of the message at which the node dies: its verb and what
     * it carries. Of several nodes with the same file, the one that deletes it dies.
     */
    static final String DIE = "die ";

    private static final long LOOKS_MILLIS = 100;

    /** Verbs of messages that are not about the cluster itself. */
    private static final Pattern DATA = Pattern.compile("MUTATION|READ|PAXOS");

    private static final String MESSAGING = "org.apache.cassandra.net.MessagingService";

    /** How many messages about data each filter has dropped, or has delayed and sent in time to be carried out, by its command. */
    private static final ConcurrentMap<String, Integer> struck = new ConcurrentHashMap<>();

    private NodeAgent() {}

    /** The JVM calls this when the agent is loaded. */
    public static void agentmain(String command) throws Exception {
        if (command.equals(DECOMMISSION)) {
            invoke("decommission", new Object[] {false}, "boolean");
        } else if (command.startsWith(REPAIR)) {
            repair(command.substring(REPAIR.length()));
        } else if (command.startsWith(DROP)) {
            String host = command.substring(DROP.length());
            struck.put(command, 0);
            filterMessages((message, to) -> {
                boolean cut = to.getAddress().getHostAddress().equals(host);
                if (cut) {
                    count(command, message);
                }
                return !cut;
            });
        } else if (command.startsWith(DELAY)) {
            struck.put(command, 0);
            delayMessages(command, Long.parseLong(command.substring(DELAY.length())));
        } else if (command.startsWith(DIE)) {
            String[] death = command.substring(DIE.length()).split(" ", 2);
            dieAt(Path.of(death[0]), Pattern.compile(death[1], Pattern.DOTALL));
        } else if (command.equals(DELIVER)) {
            deliver();
        } else if (command.equals(HEAL)) {
            deliver();
            if (struck.isEmpty() || struck.containsValue(0)) {
                throw new IllegalStateException("A filter struck no message about data: " + struck);
            }
            struck.clear();
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

    /** A request for a promise shows its ballot only, so its fields are read. */
    private static String text(Object message) {
        try {
            String verb = verb(message);
            Object payload = message.getClass().getField("payload").get(message);
            return verb.equals("PAXOS2_PREPARE_REQ")
                    ? verb + " write=" + ofPrepare(payload, "isForWrite") + " " + ofPrepare(payload, "partitionKey")
                    : verb + " " + payload;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String verb(Object message) throws ReflectiveOperationException {
        return String.valueOf(message.getClass().getMethod("verb").invoke(message));
    }

    private static Object ofPrepare(Object payload, String name) throws ReflectiveOperationException {
        Field field = payload.getClass().getSuperclass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(payload);
    }

    private static void count(String filter, Object message) {
        try {
            if (DATA.matcher(verb(message)).lookingAt()) {
                struck.merge(filter, 1, Integer::sum);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** They stay in order. The other node ignores those whose time is over. */
    private static void delayMessages(String filter, long millis) throws ReflectiveOperationException {
        Object service = Class.forName(MESSAGING).getMethod("instance").invoke(null);
        Method send = Stream.of(service.getClass().getDeclaredMethods())
                .filter(method -> method.getName().equals("doSend"))
                .findFirst()
                .orElseThrow();
        send.setAccessible(true);
        Executor later =
                CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Executors.newSingleThreadExecutor());
        filterMessages((message, to) -> {
            later.execute(() -> {
                try {
                    send.invoke(service, message, to, null);
                    if ((long) message.getClass().getMethod("expiresAtNanos").invoke(message) - System.nanoTime() > 0) {
                        count(filter, message);
                    }
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            });
            return false;
        });
    }

    private static void deliver() throws ReflectiveOperationException {
        sink().getClass().getMethod("clear").invoke(sink());
    }

    private static void filterMessages(BiPredicate<Object, InetSocketAddress> isSent)
            throws ReflectiveOperationException {
        sink().getClass().getMethod("add", BiPredicate.class).invoke(sink(), isSent);
    }

    /** Every message of the node to another goes through it. */
    private static Object sink() throws ReflectiveOperationException {
        Class<?> service = Class.forName(MESSAGING);
        return service.getField("outboundSink")
                .get(service.getMethod("instance").invoke(null));
    }
}

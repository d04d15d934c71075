package io.github.cassandralock.sample.window.surroundings;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.Registers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that has the Cassandra node, the database and the sources. It ends when no copy is connected to it any
 * more.
 */
final class SurroundingsMain {

    private static final Logger log = LoggerFactory.getLogger(SurroundingsMain.class);

    private static final NumberSource.Sensor STEADY = new NumberSource.Sensor(20, 8, 0.2, 41);
    private static final NumberSource.Sensor SWINGING = new NumberSource.Sensor(24, 8, 0.7, 29);

    private SurroundingsMain() {}

    /** @param arguments the port at which copies ask */
    public static void main(String[] arguments) {
        try {
            run(Integer.parseInt(arguments[0]));
        } catch (Exception e) {
            log.error("The surroundings of the copies have failed", e);
            System.exit(1); // whatever threads there are
        }
    }

    /** The port is taken first, so that of two such processes only one goes on. */
    private static void run(int port) throws Exception {
        try (ServerSocket socket = listen(port);
                Visitors visitors = new Visitors(socket)) {
            log.info(
                    "Starting a Cassandra node, which takes some seconds, or minutes if it has to be downloaded first");
            try (Cassandra cassandra = Cassandra.start();
                    Database database = Database.start();
                    NumberSource first = source(Streams.FIRST, STEADY, cassandra.registers());
                    NumberSource second = source(Streams.SECOND, SWINGING, cassandra.registers())) {
                visitors.tell(
                        new Addresses(cassandra.contactPoint(), cassandra.node().localDatacenter(), database.url()));
                visitors.awaitLast();
            }
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    }

    private static NumberSource source(String stream, NumberSource.Sensor sensor, Registers registers) {
        return new NumberSource(new MessageQueue(stream, Streams.LAYOUT, registers), sensor);
    }
}

package io.github.cassandralock.exactlyonce.killedcopies;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.store.cassandra.Sessions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** The process of one copy of the handler and one of the sink. It ends when its standard input does. */
final class CopyMain {

    /** What a copy says that nobody stopped and that does not work any more. */
    static final String FAILED = "FAILED";

    private CopyMain() {}

    static List<String> arguments(
            String name, String copy, InetSocketAddress node, String datacenter, String database) {
        return List.of(name, copy, node.getHostString(), Integer.toString(node.getPort()), datacenter, database);
    }

    /** @param arguments see {@link #arguments} */
    public static void main(String[] arguments) throws IOException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(arguments[5]);
        String copy = arguments[1];
        try (CqlSession session =
                Sessions.open(new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3])), arguments[4])) {
            RunningTotals totals = new RunningTotals(arguments[0], session);
            try (HandlerCopy handler = totals.handlerCopy(copy, new TellingHandler());
                    SinkCopy sink = totals.sinkCopy(source, copy, new TellingSink())) {
                handler.start();
                sink.start();
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    static final class TellingHandler implements HandlerListener {
        @Override
        public void onFailed(String handler, Throwable cause) {
            System.out.println(FAILED + " handler: " + cause);
        }

        @Override
        public void onFunctionFailed(String handler, int attempt, Throwable cause) {
            System.out.println(FAILED + " function: " + cause);
        }
    }

    static final class TellingSink implements SinkListener {
        @Override
        public void onFailed(String sink, Throwable cause) {
            System.out.println(FAILED + " sink: " + cause);
        }

        @Override
        public void onSequenceViolated(String sink, SequenceViolation violation) {
            System.out.println(FAILED + " sink: " + violation);
        }
    }
}

package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what an operator has to know into the log, and keeps what a listener throws from the sink. */
record SafeSinkListener(SinkListener listener) implements SinkListener {

    private static final Logger log = LoggerFactory.getLogger(SinkCopy.class);

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            log.warn("A listener of a sink failed, which changes nothing for the sink", e);
        }
    }

    @Override
    public void taken(String sink, long index) {
        tell(() -> listener.taken(sink, index));
    }

    @Override
    public void refused(String sink) {
        tell(() -> listener.refused(sink));
    }

    @Override
    public void idle(String sink) {
        tell(() -> listener.idle(sink));
    }

    @Override
    public void sequenceViolated(String sink, SequenceViolation violation) {
        log.error("Sink {}: {}", sink, violation);
        tell(() -> listener.sequenceViolated(sink, violation));
    }

    @Override
    public void transactionFailed(String sink, int attempt, RuntimeException cause) {
        if (Integer.bitCount(attempt) == 1) { // the 1st, 2nd, 4th, 8th …
            log.warn(
                    "The transaction of sink {} failed, attempt {}; it is tried again after a pause",
                    sink,
                    attempt,
                    cause);
        }
        tell(() -> listener.transactionFailed(sink, attempt, cause));
    }

    @Override
    public void failed(String sink, Throwable cause) {
        tell(() -> listener.failed(sink, cause));
    }
}

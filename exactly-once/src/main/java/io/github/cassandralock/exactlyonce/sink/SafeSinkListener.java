package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.Listeners;
import io.github.cassandralock.exactlyonce.copy.StepWatch;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what operators need, and keeps exceptions of listeners from the sink. */
record SafeSinkListener(Listeners<SinkListener> listeners) implements SinkListener {

    private static final Logger log = LoggerFactory.getLogger(SinkCopy.class);

    @Override
    public void taken(String sink, long index) {
        listeners.tell(listener -> listener.taken(sink, index));
    }

    @Override
    public void refused(String sink) {
        listeners.tell(listener -> listener.refused(sink));
    }

    @Override
    public void idle(String sink) {
        listeners.tell(listener -> listener.idle(sink));
    }

    @Override
    public void sequenceViolated(String sink, SequenceViolation violation) {
        log.error("Sink {}: {}", sink, violation);
        listeners.tell(listener -> listener.sequenceViolated(sink, violation));
    }

    @Override
    public void transactionFailed(String sink, int attempt, RuntimeException cause) {
        if (Listeners.isToBeLogged(attempt)) {
            log.warn(
                    "The transaction of sink {} failed, attempt {}; it is tried again after a pause",
                    sink,
                    attempt,
                    cause);
        }
        listeners.tell(listener -> listener.transactionFailed(sink, attempt, cause));
    }

    @Override
    public void stepOverdue(String sink, Duration lasting, List<StackTraceElement> stack) {
        log.warn(
                "The step of sink {} has taken {} so far: its code hangs, or a store does not answer. Its thread is{}",
                sink,
                StepWatch.text(lasting),
                StepWatch.text(stack));
        listeners.tell(listener -> listener.stepOverdue(sink, lasting, stack));
    }

    @Override
    public void failed(String sink, Throwable cause) {
        listeners.tell(listener -> listener.failed(sink, cause));
    }
}

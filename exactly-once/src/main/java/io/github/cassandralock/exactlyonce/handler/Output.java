package io.github.cassandralock.exactlyonce.handler;

import java.util.List;

/**
 * A message that a step has decided to push.
 *
 * @param queue its target
 * @param sequence of the message; with the handler's name it is the id
 * @param sole whether the handler is the only producer of the queue, so that the index is the sequence
 * @param payloads of the message
 */
record Output(String queue, long sequence, boolean sole, List<byte[]> payloads) {

    Output {
        payloads = List.copyOf(payloads);
    }

    /** This message for a queue that other producers push to as well. */
    Output asOrdinary() {
        return new Output(queue, sequence, false, payloads);
    }
}

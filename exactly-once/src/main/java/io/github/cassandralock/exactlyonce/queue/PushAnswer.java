package io.github.cassandralock.exactlyonce.queue;

import java.util.List;

/** Whether a message is at its intended index. {@code Pushed} and {@code Taken} are final. */
public sealed interface PushAnswer {

    /** The message is there: this push, or another copy of its producer, wrote it. */
    record Pushed() implements PushAnswer {}

    /**
     * Another message is there.
     *
     * @param next an index to try next: this process has found all cells below it full
     */
    record Taken(long next) implements PushAnswer {}

    /**
     * The ring is full: the cell still holds a message that a consumer has not taken. Nothing was written. The caller must not use
     * another index; it tries again later.
     *
     * @param slowest the consumers that are farthest behind; empty if there are no consumers
     * @param lowWater the index that they have not taken
     */
    record RingFull(List<String> slowest, long lowWater) implements PushAnswer {

        /** What happened and what to do, as the end of a sentence. */
        public String explained(String queue) {
            return explained(queue, slowest, "the message at index " + lowWater);
        }

        /** What happened and what to do, as the end of a sentence, when only the slowest consumers are given. */
        public static String explained(String queue, List<String> slowest) {
            return explained(queue, slowest, "its messages");
        }

        private static String explained(String queue, List<String> slowest, String notTaken) {
            return slowest.isEmpty()
                    ? "the ring of queue " + queue
                            + " is full and has no consumer. Start the handler or sink that is to take its messages"
                    : "the ring of queue " + queue + " is full: " + String.join(", ", slowest)
                            + " has not taken " + notTaken
                            + ". Start its copies; if it is gone for good, remove it with MessageQueue.removeConsumer";
        }
    }
}

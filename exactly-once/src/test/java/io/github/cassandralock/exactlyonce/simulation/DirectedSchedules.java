package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Schedules that random ones meet hardly ever: without any choice, so that the seed does not matter. */
final class DirectedSchedules {

    private DirectedSchedules() {}

    private static MessageQueue queue(DirectedStore store, Layout layout, int process) {
        return new MessageQueue(
                "q",
                layout,
                new Registers(
                        store,
                        WriteIds.of(new UUID(0, process)),
                        length -> {},
                        new GrowingPauses(Duration.ofNanos(1), Duration.ofNanos(1))));
    }

    private static Message message(String producer, long sequence) {
        return Message.of(MessageId.of(producer, sequence), new byte[] {1});
    }

    static List<String> deadPusher(long seed) {
        DirectedStore store = new DirectedStore();
        try {
            store.killAt(register -> register.endsWith("/hint"));
            NumberedPush.push(queue(store, new Layout.Keep(), 1), message("dead", 0));
            return List.of(Violation.FAILED.at(0, "the pusher should have died"));
        } catch (DirectedStore.Killed e) {
            return pushAsHandlersDo(store);
        } catch (InterruptedException e) {
            return List.of(Violation.FAILED.at(0, e.toString()));
        }
    }

    /** PREPARING and WRITING, until it is there. */
    private static List<String> pushAsHandlersDo(DirectedStore store) {
        MessageQueue queue = queue(store, new Layout.Keep(), 2);
        store.allow(1_000);
        try {
            while (!(queue.pushAt(queue.readNextIndex(), message("handler", 0)) instanceof PushAnswer.Pushed)) {
                // PREPARING again.
            }
            return List.of();
        } catch (InterruptedException e) {
            return List.of(Violation.NO_PROGRESS.at(0, "nobody raises the hint any more"));
        }
    }

    /** Who removes the consumer that holds the ring cannot read a cell, so L stays; the other consumer has nothing to tell. */
    static List<String> heldRing(long seed) {
        DirectedStore store = new DirectedStore();
        MessageQueue queue = queue(store, new Layout.Ring(2), 1);
        try {
            queue.addConsumer("gone");
            queue.addConsumer("consumer");
            NumberedPush.push(queue, message("producer", 0));
            NumberedPush.push(queue, message("producer", 1));
            queue.raiseMark("consumer", 2);
            store.showOldAt(register -> register.endsWith("/cells/0"));
            queue.removeConsumer("gone");
            store.allow(1_000);
            NumberedPush.push(queue, message("producer", 2));
            return List.of();
        } catch (InterruptedException e) {
            return List.of(Violation.NO_PROGRESS.at(0, "the ring is full for ever"));
        }
    }

    static List<String> oldRecords(long seed) {
        DirectedStore store = new DirectedStore();
        Layout ring = new Layout.Ring(2);
        MessageQueue queue = queue(store, ring, 1);
        try {
            queue.addConsumer("consumer");
            NumberedPush.push(queue, message("producer", 0));
            NumberedPush.push(queue, message("other", 0));
            queue.raiseMark("consumer", 1);
            queue.raiseMark("consumer", 2);
            NumberedPush.push(queue, message("other", 1));
            // Another copy of the producer has stood still since it chose index 0, and sees all of this late.
            MessageQueue late = queue(store, ring, 2);
            // Its first read is that of the layout; the others are to say whether its message was there.
            store.showOldRecords(3);
            return late.pushAt(0, message("producer", 0)) instanceof PushAnswer.Pushed
                    ? List.of()
                    : List.of(Violation.DOUBLE.at(0, "the copy would push the message again"));
        } catch (InterruptedException e) {
            return List.of(Violation.FAILED.at(0, e.toString()));
        }
    }
}

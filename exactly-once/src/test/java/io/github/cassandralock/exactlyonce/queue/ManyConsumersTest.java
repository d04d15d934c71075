package io.github.cassandralock.exactlyonce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The low-water record of a queue never grows out of its register, whatever names its consumers and producers have. */
@Timeout(60)
class ManyConsumersTest {

    private static final String BIRTH = "00000000-0000-0000-0000-000000000000";

    private final Registers registers = Registers.of(new InMemoryRegisterStore());
    private final MessageQueue queue = new MessageQueue("q", new Layout.Keep(), registers);

    private static String longest(int number) {
        return "n".repeat(196) + number;
    }

    @Test
    void queueRefusesTheConsumerForWhichItsRecordHasNoRoom() throws Exception {
        for (int i = 0; i < LowWater.MOST_CONSUMERS; i++) {
            queue.addConsumer("c" + i);
        }
        queue.removeConsumer("c7");
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.addConsumer("one-more"))
                .withMessageContaining("has had 1000 consumers")
                .withMessageContaining("new name");
        assertThat(queue.addConsumer("c8").index()).isZero();
        queue.raiseMark("c8", 0);
    }

    @Test
    void fullRecordFitsIntoARegisterThoughAllNamesAreAsLongAsNamesMayBe() {
        SortedMap<String, Long> marks = new TreeMap<>();
        SortedMap<String, String> births = new TreeMap<>();
        SortedMap<String, String> producers = new TreeMap<>();
        SequenceCheck check = SequenceCheck.none();
        for (int i = 0; i < LowWater.MOST_CONSUMERS; i++) {
            marks.put(Names.checked("consumer", longest(1_000 + i)), Long.MAX_VALUE - 1);
            births.put(longest(1_000 + i), BIRTH);
        }
        for (int i = 0; i < MessageQueue.MOST_PRODUCERS; i++) {
            producers.put(longest(1_000 + i), BIRTH);
            check = check.after(i, MessageId.of(longest(1_000 + i), 0), MessageQueue.MOST_PRODUCERS);
        }
        LowWater record = new LowWater(
                new Layout.Ring(1_024).getText(), 0, 0, marks, check, new TreeSet<>(), BIRTH, births, producers);
        assertThat(record.toBytes().length).isLessThan(RegisterLimits.MAX_VALUE_BYTES);
    }

    @Test
    void queueRemembersNoMoreProducersThanItsRecordHasRoomFor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MessageQueue("q", new Layout.Keep(), registers, MessageQueue.MOST_PRODUCERS + 1))
                .withMessageContaining("1 to 1000 producers");
    }
}

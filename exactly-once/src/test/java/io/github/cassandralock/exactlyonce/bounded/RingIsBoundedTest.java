package io.github.cassandralock.exactlyonce.bounded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 50,000 messages in memory; a second or two. It catches a queue that uses a new register for a message. */
class RingIsBoundedTest {

    private static final int MESSAGES = 50_000;

    @Test
    @Timeout(120)
    void registersOfARingAreItsCellsAndTwoMoreHoweverManyMessagesGoThrough() throws Exception {
        RingUse use = new RingUse(new InMemoryRegisterStore());
        use.pass(MESSAGES, 1);
        assertThat(use.registersWritten()).isLessThanOrEqualTo(RingUse.CELLS + RingUse.OTHER_REGISTERS);
    }
}

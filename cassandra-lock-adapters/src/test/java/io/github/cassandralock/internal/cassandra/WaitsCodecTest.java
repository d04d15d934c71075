package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitingCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

/** The value in which a process publishes its calls. Costs nothing; catches calls that others read wrongly, or take for a wait. */
class WaitsCodecTest {

    private static final UUID SESSION = new UUID(1, 2);

    private static PublishedWait published(long number) {
        return new PublishedWait(
                new WaitId(SESSION, number),
                7,
                new WaitingCall(
                        "owner 'überweisung " + number + "'",
                        "host/1",
                        "konto:" + number,
                        LockMode.PROTECTED_READ,
                        LockMode.PROTECTED_WRITE,
                        128,
                        3,
                        4,
                        5,
                        WaitingCall.NONE,
                        LockMode.NULL,
                        List.of(
                                new PublishedHold(1, "own:" + number, LockMode.EXCLUSIVE, 128),
                                new PublishedHold(2, "\u20ac", LockMode.CONCURRENT_READ))));
    }

    private static byte[] bytes(ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.duplicate().get(bytes);
        return bytes;
    }

    private static ByteBuffer changed(ByteBuffer value, int place, int content) throws IOException {
        byte[] bytes = new InflaterInputStream(new ByteArrayInputStream(bytes(value))).readAllBytes();
        bytes[place] = (byte) content;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(bytes);
        }
        return ByteBuffer.wrap(out.toByteArray());
    }

    @Test
    void whatIsWrittenIsRead() {
        List<PublishedWait> waits = List.of(published(1), published(2));
        assertThat(WaitsCodec.decoded(SESSION, WaitsCodec.encoded(waits))).contains(waits);
        assertThat(WaitsCodec.decoded(SESSION, WaitsCodec.encoded(List.of()))).contains(List.of());
    }

    @Test
    void callsThatAreAlikeAreSmall() {
        List<PublishedWait> waits =
                IntStream.range(0, 2_000).mapToObj(WaitsCodecTest::published).toList();
        assertThat(WaitsCodec.encoded(waits).remaining()).isLessThan(64 << 10);
    }

    @Test
    void valueThatThisVersionDoesNotUnderstandIsNotRead() throws IOException {
        ByteBuffer value = WaitsCodec.encoded(List.of(published(1)));
        assertThat(WaitsCodec.decoded(SESSION, changed(value, 0, 1)))
                .as("another format")
                .isEmpty();
        assertThat(WaitsCodec.decoded(SESSION, changed(value, 1, 0x7f)))
                .as("a length beyond the end")
                .isEmpty();
        assertThat(WaitsCodec.decoded(SESSION, ByteBuffer.wrap(bytes(value), 0, 20)))
                .as("a part")
                .isEmpty();
        assertThat(WaitsCodec.decoded(SESSION, ByteBuffer.wrap(new byte[] {1, 2, 3})))
                .as("no value")
                .isEmpty();
    }
}

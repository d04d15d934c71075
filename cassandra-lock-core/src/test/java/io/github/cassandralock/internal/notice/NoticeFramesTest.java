package io.github.cassandralock.internal.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.SlotId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoticeFramesTest {

    private static final UUID FROM = new UUID(1, 2);
    private static final UUID TO = new UUID(3, 4);
    private static final byte[] SECRET = "sixteen bytes or".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private final RandomGenerator random = new SplittableRandom(4711);

    private static final NoticeCode CODE = new NoticeCode(SECRET);
    private static final FramePlace PLACE = new FramePlace(new byte[FramePlace.CHALLENGE_BYTES], 7);

    private static byte[] frame(Notice notice) {
        UnsentFrame frame = Objects.requireNonNull(NoticeFrames.write(FROM, TO, notice, CODE));
        byte[] bytes = frame.at(PLACE);
        assertThat(bytes).hasSize(frame.length());
        return bytes;
    }

    private static Notice read(byte[] frame) throws RefusedFrameException {
        return NoticeFrames.read(frame).verified(CODE, PLACE);
    }

    /** Version, sender, receiver, kind, and the lock id {@code lock} with its length. */
    private static final int AFTER_LOCK_ID = 1 + 16 + 16 + 1 + 2 + 4;

    private Notice anyNotice() {
        String lockId = "Konto ü " + random.nextLong() + "x".repeat(random.nextInt(400));
        return switch (random.nextInt(6)) {
            case 0 -> new Notice.Waiting(lockId, slot(), random.nextLong(), slot(), random.nextLong());
            case 1 -> new Notice.Ticket(lockId, slot(), random.nextLong(), random.nextLong());
            case 2 -> new Notice.Ask(lockId, slot(), random.nextLong(), random.nextLong());
            case 3 -> new Notice.Held(lockId, random.nextLong());
            case 4 ->
                new Notice.Mode(
                        lockId,
                        slot(),
                        random.nextLong(),
                        random.nextBoolean() ? LockMode.EXCLUSIVE : LockMode.CONCURRENT_READ);
            default -> new Notice.Over(lockId, facts(random.nextInt(200)));
        };
    }

    private int slot() {
        return random.nextInt(SlotId.HIGHEST + 1);
    }

    private List<Fact> facts(int count) {
        List<Fact> facts = new ArrayList<>();
        for (int fact = 0; fact < count; fact++) {
            facts.add(new Fact(
                    new SlotId(new UUID(random.nextLong(), random.nextLong()), slot()),
                    random.nextLong(),
                    random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong())));
        }
        return facts;
    }

    @Test
    void everyNoticeIsReadAsItWasWritten() throws RefusedFrameException {
        for (int round = 0; round < 2_000; round++) {
            Notice notice = anyNotice();
            NoticeFrames.Unverified unverified = NoticeFrames.read(frame(notice));
            assertThat(unverified.from()).isEqualTo(FROM);
            assertThat(unverified.to()).isEqualTo(TO);
            assertThat(unverified.verified(CODE, PLACE)).isEqualTo(notice);
        }
    }

    /** A false OVER would be two holders. */
    @Test
    void frameWithOneBitChangedIsRefused() {
        byte[] frame = frame(new Notice.Over("lock", facts(2)));
        for (int bit = 0; bit < frame.length * 8; bit++) {
            byte[] changed = frame.clone();
            changed[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> read(changed)).as("bit %d", bit).isInstanceOf(RefusedFrameException.class);
        }
    }

    @Test
    void frameThatEndsEarlyIsRefused() {
        byte[] frame = frame(anyNotice());
        for (int length = 0; length < frame.length; length++) {
            byte[] start = Arrays.copyOf(frame, length);
            assertThatThrownBy(() -> read(start)).isInstanceOf(RefusedFrameException.class);
        }
    }

    @Test
    void frameUnderTheSecretOfAnotherSessionIsRefused() {
        byte[] another = SECRET.clone();
        another[0]++;
        byte[] frame = Objects.requireNonNull(NoticeFrames.write(FROM, TO, anyNotice(), new NoticeCode(another)))
                .at(PLACE);
        assertThatThrownBy(() -> read(frame)).hasMessageContaining("authentication code is wrong");
    }

    @Test
    void frameIsAuthenticAtItsPlaceOnly() throws RefusedFrameException {
        byte[] frame = frame(anyNotice());
        byte[] another = new byte[FramePlace.CHALLENGE_BYTES];
        another[15] = 1;
        for (FramePlace other : List.of(
                new FramePlace(PLACE.challenge(), 6),
                new FramePlace(PLACE.challenge(), 8),
                new FramePlace(another, PLACE.number()))) {
            assertThatThrownBy(() -> NoticeFrames.read(frame).verified(CODE, other))
                    .hasMessageContaining("authentication code is wrong");
        }
        assertThat(read(frame)).isNotNull();
    }

    @Test
    void codesThatThreadsComputeAtTheSameTimeAreRight() {
        byte[] frame = frame(new Notice.Over("lock", facts(20)));
        assertThat(IntStream.range(0, 20_000).parallel().filter(i -> !CODE.isRight(frame, PLACE)))
                .isEmpty();
    }

    /** The code of each is right: what is read is what somebody wrote who knows the secret, by mistake or on purpose. */
    @Test
    void bodyOfAnyBytesIsANoticeOrRefused() {
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] frame = frame(anyNotice());
            int from = 33;
            int to = frame.length - NoticeCode.BYTES;
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                frame[random.nextInt(from, to)] = (byte) random.nextInt();
            }
            CODE.append(frame, PLACE);
            try {
                read(frame);
            } catch (RefusedFrameException e) {
                refused++;
            }
        }
        assertThat(refused).as("bodies that were no notices").isPositive();
    }

    @Test
    void frameOfAnotherVersionIsRefused() {
        for (int version : new int[] {0, 1, 2, 4, -1}) {
            byte[] frame = frame(anyNotice());
            frame[0] = (byte) version;
            CODE.append(frame, PLACE);
            assertThatThrownBy(() -> read(frame)).hasMessageContaining("its version is " + version);
        }
    }

    @Test
    void slotWithANegativeNumberIsRefused() {
        Notice[] notices = {
            new Notice.Waiting("lock", 0, 1, 0, 1),
            new Notice.Ticket("lock", 0, 1, 1),
            new Notice.Ask("lock", 0, 1, 1),
            new Notice.Over("lock", List.of(Fact.over(new SlotId(FROM, 0), 1)))
        };
        int[] slotAt = {0, 0, 0, Short.BYTES + 16};
        for (int notice = 0; notice < notices.length; notice++) {
            byte[] frame = frame(notices[notice]);
            frame[AFTER_LOCK_ID + slotAt[notice]] = (byte) 0x80;
            CODE.append(frame, PLACE);
            assertThatThrownBy(() -> read(frame)).hasMessageContaining("its slot has the number -32768");
        }
    }

    @Test
    void slotWithTheHighestNumberIsRead() throws RefusedFrameException {
        Notice highest = new Notice.Waiting("lock", SlotId.HIGHEST, 1, SlotId.HIGHEST, 1);
        assertThat(read(frame(highest))).isEqualTo(highest);
    }

    @Test
    void anyBytesAreRefused() {
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            if (bytes.length > 0 && random.nextBoolean()) {
                bytes[0] = NoticeFrames.VERSION;
            }
            assertThatThrownBy(() -> read(bytes)).isInstanceOf(RefusedFrameException.class);
        }
        assertThatThrownBy(() -> read(new byte[NoticeFrames.LONGEST + 1])).hasMessageContaining("65537 bytes");
    }

    @Test
    void factsThatDoNotFitIntoAFrameAreLeftOutFromTheEnd() throws RefusedFrameException {
        List<Fact> facts = facts(5_000);
        byte[] frame = frame(new Notice.Over("lock", facts));
        assertThat(frame.length).isLessThanOrEqualTo(NoticeFrames.LONGEST);
        Notice.Over read = (Notice.Over) read(frame);
        assertThat(read.facts())
                .hasSizeGreaterThan(1_800)
                .isEqualTo(facts.subList(0, read.facts().size()));
    }

    @Test
    void noticeAboutALockIdThatFitsIntoNoFrameIsNotWritten() {
        assertThat(NoticeFrames.write(FROM, TO, new Notice.Held("x".repeat(70_000), 1), CODE))
                .isNull();
        assertThat(NoticeFrames.write(FROM, TO, new Notice.Over("x".repeat(70_000), facts(1)), CODE))
                .isNull();
    }
}

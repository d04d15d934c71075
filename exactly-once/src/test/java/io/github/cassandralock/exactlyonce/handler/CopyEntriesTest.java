package io.github.cassandralock.exactlyonce.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.handler.CopyEntries.Entry;
import io.github.cassandralock.exactlyonce.handler.Suspicion.MessagePlace;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What copies of several versions write to one register, and what they agree on. */
class CopyEntriesTest {

    private static final MessagePlace MESSAGE = new MessagePlace("q", 7);

    private static Entry failing(long failures) {
        return new Entry(1, new TreeSet<>(Set.of("q")), Optional.of(MESSAGE), failures);
    }

    private static CopyEntries entries(String copy, Entry entry) {
        return CopyEntries.none().with(copy, entry);
    }

    @Test
    void entriesAreReadAsTheyWereWritten() {
        CopyEntries written = entries("a", failing(3));
        assertThat(CopyEntries.isKnown(written.toBytes())).isTrue();
        assertThat(CopyEntries.ofBytes("h", written.toBytes())).isEqualTo(written);
    }

    /** It had a flag of one byte where the number of failures is now. */
    @Test
    void entriesOfTheFormerFormatAreLeftOut() {
        byte[] former = new ByteEncoder()
                .tag(1)
                .all(
                        List.of("a"),
                        (fields, copy) -> fields.text(copy)
                                .number(1)
                                .all(List.of("q"), ByteEncoder::text)
                                .all(List.of(), (to, nothing) -> {})
                                .tag(1))
                .toBytes();
        assertThat(CopyEntries.isKnown(former)).isTrue();
        assertThat(CopyEntries.ofBytes("h", former)).isEqualTo(CopyEntries.none());
    }

    /** Format 2 counts each failure once, so its figures and the present ones must not be compared. */
    @Test
    void entriesThatCountFailuresWithoutWeightsAreLeftOut() {
        byte[] present = entries("a", failing(5)).toBytes();
        byte[] former = present.clone();
        former[0] = 2;
        assertThat(CopyEntries.isKnown(former)).isTrue();
        assertThat(CopyEntries.ofBytes("h", former)).isEqualTo(CopyEntries.none());
        assertThat(CopyEntries.ofBytes("h", present)).isEqualTo(entries("a", failing(5)));
    }

    @Test
    void entriesOfALaterFormatAreNotKnown() {
        assertThat(CopyEntries.isKnown(new byte[] {4})).isFalse();
    }

    /** A copy that comes back after a long call has failures from before. */
    @Test
    void copyThatWasSilentAtTheProofAgreesAfterTwoFailuresSince() {
        CopyEntries earlier = CopyEntries.none().and(entries("a", failing(5)));
        assertThat(entries("a", failing(5)).agreeOn(MESSAGE, earlier, 2)).isFalse();
        assertThat(entries("a", failing(6)).agreeOn(MESSAGE, earlier.and(entries("a", failing(6))), 2))
                .isFalse();
        assertThat(entries("a", failing(7)).agreeOn(MESSAGE, earlier.and(entries("a", failing(7))), 2))
                .isTrue();
    }
}

package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.springframework.util.StringUtils;

/** What {@link CounterWorker}s recorded: every stay under the lock, in order of entry. */
record CounterRecords(List<Stay> stays) {

    /**
     * One stay.
     *
     * @param read the number that was found
     * @param leftAt empty if the process was killed before
     */
    record Stay(String thread, long enteredAt, long read, OptionalLong leftAt) {}

    static CounterRecords of(Collection<Path> files) throws IOException {
        List<Stay> stays = new ArrayList<>();
        for (Path file : files) {
            stays.addAll(staysIn(Files.readAllLines(file)));
        }
        stays.sort(Comparator.comparingLong(Stay::enteredAt));
        return new CounterRecords(stays);
    }

    private static Collection<Stay> staysIn(List<String> lines) {
        Map<String, Stay> stays = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = StringUtils.delimitedListToStringArray(line, " ");
            if (words.length == 4) {
                long at = Long.parseLong(words[2]);
                stays.merge(
                        words[0],
                        new Stay(words[0], at, Long.parseLong(words[3]), OptionalLong.empty()),
                        (entered, left) ->
                                new Stay(entered.thread(), entered.enteredAt(), entered.read(), OptionalLong.of(at)));
            }
        }
        return stays.values();
    }

    long cutShort() {
        return stays.stream().filter(stay -> stay.leftAt().isEmpty()).count();
    }

    /** Nobody entered before the one before had left, and everybody found what that one wrote. */
    void assertOneAfterTheOther() {
        for (int i = 1; i < stays.size(); i++) {
            Stay before = stays.get(i - 1);
            Stay next = stays.get(i);
            if (before.leftAt().isPresent()) {
                assertThat(next.enteredAt())
                        .as("entry of %s after %s", next, before)
                        .isGreaterThanOrEqualTo(before.leftAt().getAsLong());
                assertThat(next.read())
                        .as("what %s found after %s", next, before)
                        .isEqualTo(before.read() + 1);
            } else {
                assertThat(next.read())
                        .as("what %s found after %s, which was killed before or after it wrote", next, before)
                        .isIn(before.read(), before.read() + 1);
            }
        }
    }
}

package io.github.cassandralock.benchmarks.outbox;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What messages carry: the same for all ways. */
final class Payloads {

    private Payloads() {}

    /** Some forty bytes for each message. */
    static List<byte[]> of(int group, int size) {
        List<byte[]> payloads = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            payloads.add(text((long) group * size + i).getBytes(StandardCharsets.UTF_8));
        }
        return payloads;
    }

    static long amount(long number) {
        return number % 1_000;
    }

    private static String text(long number) {
        return "order " + number + " account " + number % 97 + " amount " + amount(number);
    }
}

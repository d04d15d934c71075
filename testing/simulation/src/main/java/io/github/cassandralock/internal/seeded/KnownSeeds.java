package io.github.cassandralock.internal.seeded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Seeds that are known to show a planted fault, so that a build does not search for them. If a change of the code makes a seed
 * useless, the search begins with the first seed, which takes longer: put the seed that the log then names into the file.
 */
public final class KnownSeeds {

    private static final String FILE = "known-seeds.txt";

    private final Map<String, Long> seeds;

    private KnownSeeds(Map<String, Long> seeds) {
        this.seeds = seeds;
    }

    /** Reads the file in the package of a class: in each line a seed, a space and a fault's name. */
    public static KnownSeeds beside(Class<?> type) {
        if (!Boolean.parseBoolean(System.getProperty("simulation.mutants.known", "true"))) {
            return new KnownSeeds(Map.of());
        }
        try (InputStream file = type.getResourceAsStream(FILE)) {
            return new KnownSeeds(new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" ", 2))
                    .collect(Collectors.toUnmodifiableMap(line -> line[1], line -> Long.valueOf(line[0]))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The seed that shows the fault, if one is known. */
    public OptionalLong seedOf(String fault) {
        Long seed = seeds.get(fault);
        return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
    }
}

package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "readers",
        mixinStandardHelpOptions = true,
        description =
                "Readers and writers of one lock, with the ticket lock, Curator's InterProcessReadWriteLock and Redisson's"
                        + " RReadWriteLock, in the same run.")
final class ReadersCommand extends ExperimentCommand {

    private static final List<Algorithm> PEERS = List.of(Algorithm.REDISSON, Algorithm.CURATOR);
    private static final List<Integer> SHARES = List.of(0, 90, 100);
    private static final List<Contenders> DEFAULT =
            Stream.of(1, 5, 25).map(Contenders::of).toList();

    @Option(
            names = "--with",
            split = "\\s*,\\s*",
            description = "Which locks of others: redisson, curator (default: both)")
    private List<Algorithm> peers = PEERS;

    @Option(
            names = "--contenders",
            converter = ContendersOption.class,
            split = ",",
            defaultValue = "1,5,25",
            description =
                    "Numbers of contenders: up to five are a process each, and more are threads of five processes (default:"
                            + " ${DEFAULT-VALUE})")
    private List<Contenders> contenders = DEFAULT;

    @Option(
            names = "--readers",
            split = ",",
            defaultValue = "0,90,100",
            description = "How many of a hundred acquisitions are those of readers (default: ${DEFAULT-VALUE})")
    private List<Integer> shares = SHARES;

    @Option(
            names = "--acquisitions",
            converter = AtLeastOne.class,
            defaultValue = "300",
            description =
                    "How often each process takes the lock. Its threads share that, but each takes the lock at least ten times"
                            + " in each turn. If all read, they take it twenty times as often (default:"
                            + " ${DEFAULT-VALUE})")
    private int acquisitions = 300;

    @Option(
            names = "--hold",
            defaultValue = "PT0S",
            description = "For how long each works under the lock, such as PT0.002S (default: ${DEFAULT-VALUE})")
    private Duration hold = Duration.ZERO;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(
                new ReadersExperiment(options, besideTheTicketLock(peers), contenders, shares, acquisitions, hold));
    }

    private static List<Algorithm> besideTheTicketLock(List<Algorithm> peers) {
        return Stream.concat(Stream.of(Algorithm.TICKET, Algorithm.TICKET_NOTICES), Peers.installed(peers))
                .toList();
    }

    /** What {@code all} measures. */
    static ReadersExperiment usual(SeriesOptions options, int acquisitions) {
        return new ReadersExperiment(options, besideTheTicketLock(PEERS), DEFAULT, SHARES, acquisitions, Duration.ZERO);
    }
}

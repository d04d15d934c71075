package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.startup.ProgramClassPath;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "versions",
        mixinStandardHelpOptions = true,
        description = "The ticket lock beside the ticket lock of another version, on the same nodes. Both take turns.")
final class VersionsCommand extends ExperimentCommand {

    @Option(
            names = "--before",
            converter = ProgramOption.class,
            required = true,
            paramLabel = "JAR",
            description = "This program in the other version: benchmarks.jar of its build")
    private Path before = Path.of("benchmarks.jar");

    @Option(
            names = "--with",
            split = "\\s*,\\s*",
            description =
                    "Which locks: ticket, ticket-notices (default: both). bare-requests are one write and one read without a"
                            + " lock: what the requests of a contended lock with notices cost at least")
    private List<Algorithm> algorithms = ScalingExperiment.BOTH;

    @Option(
            names = "--processes",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "1,5",
            description = "Numbers of processes that want one lock (default: ${DEFAULT-VALUE})")
    private List<Integer> processes = List.of(1, 5);

    /** Reads the path of this program in some version. */
    static final class ProgramOption implements ITypeConverter<Path> {

        @Override
        public Path convert(String value) {
            Path program = Path.of(value);
            if (!ProgramClassPath.isProgram(program)) {
                throw new TypeConversionException("'" + value + "' is not the file benchmarks.jar of a build");
            }
            return program;
        }
    }

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new VersionsExperiment(options, before, algorithms, processes));
    }
}

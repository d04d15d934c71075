package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the next copy of a handler has to do (docs/exactly-once.md, section 3). */
sealed interface Phase {

    /** Take inputs. */
    record Handling() implements Phase {}

    /** Outputs are left to write, those from {@code position} on. */
    sealed interface Outputting extends Phase {

        List<Output> outputs();

        int position();
    }

    /** Choose an index for the output at {@code position}. */
    record Preparing(List<Output> outputs, int position) implements Outputting {}

    /** Push the output at {@code position} at {@code index}. */
    record Writing(List<Output> outputs, int position, long index) implements Outputting {}

    /** Push all outputs from {@code position} on, each at the index that is its sequence; then take inputs. */
    record SoleWriting(List<Output> outputs, int position) implements Outputting {}

    /** Make an effect, and continue with its result. */
    record Effect(String sink, String key, long sequence, Bytes request) implements Phase {}

    /** The phase after the outputs before {@code position} are written. Outputs of sole producers come last. */
    static Phase ofOutputs(List<Output> outputs, int position) {
        if (position == outputs.size()) {
            return new Handling();
        }
        return outputs.get(position).sole() ? new SoleWriting(outputs, position) : new Preparing(outputs, position);
    }

    /**
     * The phase after the outputs before {@code position} are written. The output at {@code position} and later outputs to its
     * queue are ordinary ones in this phase.
     */
    static Phase ofOrdinaryOutputs(List<Output> outputs, int position) {
        String queue = outputs.get(position).queue();
        List<Output> changed = outputs.stream()
                .map(output -> output.queue().equals(queue) ? output.asOrdinary() : output)
                .toList();
        return ofOutputs(changed, position);
    }

    /** The output queues that a copy needs for this phase. */
    default Set<String> queues() {
        return this instanceof Outputting phase
                ? phase.outputs().stream()
                        .skip(phase.position())
                        .map(Output::queue)
                        .collect(Collectors.toCollection(TreeSet::new))
                : Set.of();
    }

    /**
     * Whether a message that was decided may be at this index of its queue. PREPARING has not chosen an index for its output yet,
     * and WRITING has chosen one. An output at another index was written by a later phase.
     */
    default boolean mayHaveWritten(String queue, long sequence, long index) {
        if (this instanceof Preparing preparing) {
            return !isAmong(preparing.outputs(), preparing.position(), queue, sequence);
        }
        if (this instanceof Writing writing) {
            int from = writing.index() == index ? writing.position() + 1 : writing.position();
            return !isAmong(writing.outputs(), from, queue, sequence);
        }
        return true;
    }

    private static boolean isAmong(List<Output> outputs, int from, String queue, long sequence) {
        return outputs.subList(from, outputs.size()).stream()
                .anyMatch(output -> output.queue().equals(queue) && output.sequence() == sequence);
    }

    /** The sink that a copy needs for this phase. */
    default Optional<String> neededSink() {
        return this instanceof Effect effect ? Optional.of(effect.sink()) : Optional.empty();
    }

    /** The name for reports. */
    default String text() {
        return getClass().getSimpleName();
    }

    static void write(ByteEncoder encoder, Phase phase) {
        if (phase instanceof Handling) {
            encoder.tag(0);
        } else if (phase instanceof Preparing preparing) {
            outputs(encoder.tag(1), preparing.outputs()).count(preparing.position());
        } else if (phase instanceof Writing writing) {
            outputs(encoder.tag(2), writing.outputs()).count(writing.position()).number(writing.index());
        } else if (phase instanceof SoleWriting writing) {
            outputs(encoder.tag(3), writing.outputs()).count(writing.position());
        } else if (phase instanceof Effect effect) {
            encoder.tag(4)
                    .text(effect.sink())
                    .text(effect.key())
                    .number(effect.sequence())
                    .bytes(effect.request().toArray());
        }
    }

    private static ByteEncoder outputs(ByteEncoder encoder, List<Output> outputs) {
        return encoder.all(
                outputs,
                (fields, output) -> fields.text(output.queue())
                        .number(output.sequence())
                        .tag(output.sole() ? 1 : 0)
                        .all(output.payloads(), ByteEncoder::bytes));
    }

    static Phase read(ByteDecoder decoder) {
        int tag = decoder.readTag();
        return switch (tag) {
            case 0 -> new Handling();
            case 1 -> new Preparing(outputs(decoder), decoder.getPosition());
            case 2 -> new Writing(outputs(decoder), decoder.getPosition(), decoder.readNumber());
            case 3 -> new SoleWriting(outputs(decoder), decoder.getPosition());
            case 4 ->
                new Effect(decoder.readText(), decoder.readText(), decoder.readNumber(), Bytes.of(decoder.readBytes()));
            default ->
                throw new MalformedBytesException("A handler's state is in the phase " + tag
                        + ", which this version of the program does not support: upgrade it");
        };
    }

    private static List<Output> outputs(ByteDecoder decoder) {
        return decoder.readAll(fields -> new Output(
                fields.readText(), fields.readNumber(), fields.readTag() == 1, fields.readAll(ByteDecoder::readBytes)));
    }
}

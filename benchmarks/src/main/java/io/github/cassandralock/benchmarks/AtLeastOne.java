package io.github.cassandralock.benchmarks;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Refuses counts of nothing, before any server is started. */
final class AtLeastOne implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String value) {
        int count = Integer.parseInt(value.strip());
        if (count < 1) {
            throw new TypeConversionException("must be at least 1, not " + count);
        }
        return count;
    }
}

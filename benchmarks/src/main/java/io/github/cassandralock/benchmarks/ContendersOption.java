package io.github.cassandralock.benchmarks;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of contenders. */
final class ContendersOption implements ITypeConverter<Contenders> {

    private static final AtLeastOne COUNT = new AtLeastOne();

    @Override
    public Contenders convert(String value) {
        try {
            return Contenders.of(COUNT.convert(value));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}

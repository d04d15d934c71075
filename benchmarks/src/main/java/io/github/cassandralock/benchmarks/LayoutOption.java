package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.processor.Cores;
import io.github.cassandralock.benchmarks.processor.Layout;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Refuses what the machine cannot do, before any server is started. */
final class LayoutOption implements ITypeConverter<Layout> {

    @Override
    public Layout convert(String value) {
        Layout layout = layout(value);
        if (layout == Layout.APART && Cores.find().isEmpty()) {
            throw new TypeConversionException("servers and clients cannot be apart on this machine: that needs Linux,"
                    + " two cores that this process may use, and /usr/bin/taskset of the package util-linux. Use"
                    + " --layout shared");
        }
        return layout;
    }

    private static Layout layout(String value) {
        try {
            return Layout.valueOf(value.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("must be shared or apart, not " + value);
        }
    }
}

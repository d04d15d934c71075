package io.github.cassandralock.benchmarks.report;

import java.io.IOException;
import java.io.OutputStream;

/** A picture that is drawn into a file. */
interface Figure {

    void draw(OutputStream out) throws IOException;
}

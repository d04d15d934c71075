package io.github.cassandralock.sample.window.surroundings;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * Where everything is, in one line for each.
 *
 * @param contactPoint of Cassandra: host, colon, port
 * @param datacenter of Cassandra
 * @param jdbcUrl of the database
 */
record Addresses(String contactPoint, String datacenter, String jdbcUrl) {

    void writeTo(PrintWriter writer) {
        writer.println(contactPoint);
        writer.println(datacenter);
        writer.println(jdbcUrl);
        writer.flush();
    }

    /** @throws EOFException if the other side has closed the connection */
    static Addresses readFrom(BufferedReader reader) throws IOException {
        return new Addresses(line(reader), line(reader), line(reader));
    }

    private static String line(BufferedReader reader) throws IOException {
        String line = reader.readLine();
        if (line == null) {
            throw new EOFException("The connection was closed");
        }
        return line;
    }
}

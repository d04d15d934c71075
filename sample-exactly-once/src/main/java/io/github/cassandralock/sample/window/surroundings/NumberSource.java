package io.github.cassandralock.sample.window.surroundings;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Pushes numbers to a stream, like a sensor whose readings and whose pace rise and fall. A thread of its own, until it
 * is closed.
 */
final class NumberSource implements AutoCloseable {

    private static final double NOISE = 1.5;
    private static final long LONGEST_END_SECONDS = 10;

    /**
     * What is measured.
     *
     * @param middle of the readings
     * @param perSecond readings in a second, on average
     * @param swing of the pace, as a part of it
     * @param periodSeconds of readings and pace
     */
    record Sensor(double middle, double perSecond, double swing, double periodSeconds) {

        double reading(double seconds, Random random) {
            return middle + middle / 4 * wave(seconds) + NOISE * random.nextGaussian();
        }

        long pauseMillis(double seconds, Random random) {
            double pace = perSecond * (1 + swing * wave(seconds));
            return Math.round(TimeUnit.SECONDS.toMillis(1) / pace * (0.5 + random.nextDouble()));
        }

        private double wave(double seconds) {
            return Math.sin(seconds * 2 * Math.PI / periodSeconds);
        }
    }

    private final MessageQueue stream;
    private final Sensor sensor;
    private final Thread thread;

    NumberSource(MessageQueue stream, Sensor sensor) {
        this.stream = stream;
        this.sensor = sensor;
        thread = new Thread(this::run, "source-of-" + stream.getName());
        thread.start();
    }

    private void run() {
        Random random = new Random(stream.getName().hashCode());
        long start = System.nanoTime();
        try {
            while (true) {
                double seconds = (System.nanoTime() - start) / 1e9;
                stream.push(json(sensor.reading(seconds, random)));
                Thread.sleep(sensor.pauseMillis(seconds, random));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private static byte[] json(double number) {
        return String.format(Locale.ROOT, "%.2f", number).getBytes(StandardCharsets.UTF_8);
    }

    /** Interrupts the thread, and waits for its end. */
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(LONGEST_END_SECONDS));
    }
}

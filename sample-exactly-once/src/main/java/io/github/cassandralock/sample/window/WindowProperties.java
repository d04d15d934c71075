package io.github.cassandralock.sample.window;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The sliding window. The same in all copies.
 *
 * @param duration How long a number stays in the window.
 * @param threshold With more numbers than this in the window, the counter is raised.
 */
@ConfigurationProperties("window")
public record WindowProperties(
        @DefaultValue("3s") Duration duration,
        @DefaultValue("45") int threshold) {}

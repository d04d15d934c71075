package io.github.cassandralock.internal.startup;

import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.DriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.internal.core.config.map.MapBasedDriverConfig;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Options of the default profile, which replace options of another configuration. The driver's {@code OptionsMap} does the same.
 * But it needs the class {@code TypedDriverOption}, whose hundreds of constants delay the start.
 */
public final class ReplacedOptions implements DriverConfigLoader {

    private final DriverConfig config;

    private ReplacedOptions(Map<DriverOption, Object> options) {
        config = new MapBasedDriverConfig(Map.of(DriverExecutionProfile.DEFAULT_NAME, options));
    }

    /**
     * Returns a configuration with these options, and with all others of {@code loader}.
     *
     * @param options each with a value of its type
     */
    public static DriverConfigLoader of(Map<DriverOption, Object> options, DriverConfigLoader loader) {
        return DriverConfigLoader.compose(new ReplacedOptions(Map.copyOf(options)), loader);
    }

    @Override
    public DriverConfig getInitialConfig() {
        return config;
    }

    @Override
    public void onDriverInit(DriverContext context) {}

    @Override
    public CompletionStage<Boolean> reload() {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public boolean supportsReloading() {
        return true;
    }

    @Override
    public void close() {}
}

package io.github.cassandralock.sample;

import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** This instance among the others. */
@Component
final class Instance {

    private volatile int port;

    @EventListener
    void listensOn(WebServerInitializedEvent event) {
        // The management server, if it has a port of its own, is not what instances are known by.
        if (event.getApplicationContext().getServerNamespace() == null) {
            port = event.getWebServer().getPort();
        }
    }

    /** The port of the application's web server; zero before it listens. */
    int port() {
        return port;
    }

    /** Host and port. */
    String name() {
        return host() + ":" + port;
    }

    private static String host() {
        return System.getenv().getOrDefault("HOSTNAME", "localhost");
    }
}

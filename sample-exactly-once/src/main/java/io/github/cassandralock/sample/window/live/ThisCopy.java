package io.github.cassandralock.sample.window.live;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** This copy among the others. */
@Component
class ThisCopy {

    private final String host;
    private volatile int port;

    ThisCopy(@Value("${server.address}") String host) {
        this.host = host;
    }

    @EventListener
    void listensOn(WebServerInitializedEvent event) {
        // The management server, if it has a port of its own, has no page.
        if (event.getApplicationContext().getServerNamespace() == null) {
            port = event.getWebServer().getPort();
        }
    }

    long pid() {
        return ProcessHandle.current().pid();
    }

    String url() {
        return "http://" + host + ":" + port;
    }
}

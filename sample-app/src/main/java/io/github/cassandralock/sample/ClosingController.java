package io.github.cassandralock.sample;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows which instance closed the books last. */
@RestController
class ClosingController {

    private static final int SHOWN = 20;

    private final Closings closings;

    ClosingController(Closings closings) {
        this.closings = closings;
    }

    @GetMapping("/closings")
    List<Closing> latest() {
        return closings.latest(SHOWN);
    }
}

package io.github.cassandralock.internal.structure;

import java.util.List;

record LampUser(List<Lamp> lamps) {

    boolean mustStop() {
        return lamps.get(0) instanceof Lamp.Red || lamps.stream().anyMatch(lamp -> lamp instanceof Lamp.Red);
    }
}

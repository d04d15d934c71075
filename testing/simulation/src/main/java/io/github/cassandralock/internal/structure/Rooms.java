package io.github.cassandralock.internal.structure;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rooms of a package: its subpackages, and which of them each may use. A class that has yet to move into its room is named with the
 * room, so the arrows can be counted before the move.
 */
public final class Rooms {

    /**
     * One room.
     *
     * @param name of the subpackage; {@code (root)} for the package itself
     * @param uses the names of the rooms that it may use
     * @param yetToMove outermost classes of the package itself that belong here, by their simple names
     */
    private record Room(String name, Set<String> uses, Set<String> yetToMove) {}

    /** The name of the room that is the package itself. */
    private static final String ROOT = "(root)";

    private final String base;
    private final List<Room> rooms;

    private Rooms(String base, List<Room> rooms) {
        this.base = base;
        this.rooms = rooms;
    }

    /** Begins the table of a package. */
    public static Rooms of(String base) {
        return new Rooms(base, List.of());
    }

    /**
     * Adds a room.
     *
     * @param name of the subpackage; {@code (root)} for the package itself
     * @param uses the names of other rooms that it may use, separated by spaces
     * @param yetToMove classes that belong here and are still in the package itself, separated by spaces
     */
    public Rooms room(String name, String uses, String yetToMove) {
        List<Room> more = new ArrayList<>(rooms);
        more.add(new Room(name, words(uses), words(yetToMove)));
        return new Rooms(base, List.copyOf(more));
    }

    private static Set<String> words(String text) {
        return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).collect(Collectors.toSet());
    }

    /** At most so many references lead from a class to one of a room that its own room may not use. */
    public ArchRule wrongReferences(int most) {
        return FigureRule.of("the number of wrong references between rooms of " + base, most, this::wrong);
    }

    private FigureRule.Finding wrong(Collection<JavaClass> classes) {
        List<JavaClass> inside = classes.stream()
                .filter(type -> type.getPackageName().equals(base)
                        || type.getPackageName().startsWith(base + "."))
                .toList();
        Set<String> wrong = new TreeSet<>();
        ReferenceGraph.of(inside, ReferenceGraph::outermost).references().forEach((from, references) -> {
            Room own = roomOf(from);
            references.stream()
                    .filter(to -> !roomOf(to).equals(own)
                            && !own.uses().contains(roomOf(to).name()))
                    .forEach(to -> wrong.add(simple(from) + " > " + simple(to)));
        });
        return new FigureRule.Finding(wrong.size(), wrong.toString());
    }

    private Room roomOf(String type) {
        String subpackage = type.substring(0, type.lastIndexOf('.')).substring(base.length());
        String name = subpackage.isEmpty()
                ? rooms.stream()
                        .filter(room -> room.yetToMove().contains(simple(type)))
                        .map(Room::name)
                        .findFirst()
                        .orElse(ROOT)
                : subpackage.substring(1);
        Optional<Room> found =
                rooms.stream().filter(room -> room.name().equals(name)).findFirst();
        return found.orElseThrow(() -> new IllegalStateException("no room " + name + " for " + type));
    }

    private static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}

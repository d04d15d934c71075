package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into the rules of conversions (lock modes, section 4). Rules whose faults only make conversions or requests wait are
 * tested step by step by {@link ConversionSimulationTest}: in the schedules, conversions up have a time-out, because two of them may
 * wait for each other.
 */
final class ConversionMutants {

    private ConversionMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(up(), down(), tokens(), ends()).flatMap(mutants -> mutants);
    }

    private static Stream<Mutant> up() {
        return Stream.of(
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TWO_HOLDERS,
                        "conversions: all slots are ignored, not those alone that conflict with the handle's mode",
                        "ticket.ChainFoothold",
                        "|| facts.hasAlwaysConflicted(other, chain.mode());",
                        "|| facts != null;"),
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TWO_HOLDERS,
                        "conversions: what conflicts with the new mode is ignored, not what conflicts with the present one",
                        "ticket.ChainFoothold",
                        "facts.hasAlwaysConflicted(other, chain.mode());",
                        "facts.hasAlwaysConflicted(other, wanted);"),
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TWO_HOLDERS,
                        "conversions: threads that share the handle's slots are not in the way",
                        "ticket.ChainFoothold",
                        "return chain.links().stream().noneMatch(link -> link.hold().isUsedAgainst(wanted, grant));",
                        "return true;"),
                Mutant.of(
                        Schedules.STALE_MODES,
                        Violation.TWO_HOLDERS,
                        "conversions: what conflicts with the mode of a slot that others share is ignored (rule 4)",
                        "ticket.ChainFoothold",
                        "facts.hasAlwaysConflicted(other, chain.mode());",
                        "facts.hasAlwaysConflicted(other, chain.top().hold().mode());"),
                Mutant.of(
                        Schedules.STALE_MODES,
                        Violation.TWO_HOLDERS,
                        "conversions: a slot that was seen in a weak mode is ignored if a later read shows a strong one (rule 5)",
                        "ticket.LockFacts",
                        "|| seen.modes().stream().noneMatch(mode::isCompatibleWith));",
                        "|| seen.modes() != null);"),
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TWO_HOLDERS,
                        "conversions: a request draws again and reads on as if nothing had happened (rule 8)",
                        "ticket.SlotAttempt",
                        "blockers = null; unblocked = false; last = List.of(); SlotWrite ticketed = drawn(Bakery.nextTicket(read)); write(ticketed, this::lookAtBlockers);",
                        "SlotWrite ticketed = drawn(Bakery.nextTicket(read)); write(ticketed, this::lookAgain);"));
    }

    private static Stream<Mutant> down() {
        return Stream.of(
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TWO_HOLDERS,
                        "conversions: a shared slot becomes as weak as one of its handles (rule 2)",
                        "ticket.SlotHold",
                        ".reduce(LockMode.NULL, LockMode::leastCovering);",
                        ".reduce(LockMode.EXCLUSIVE, (one, other) -> one.covers(other) ? other : one);"),
                Mutant.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: the slots below are let go, and the top one stays (rule 6)",
                                "ticket.Chain",
                                "List<Link> left = IntStream.range(0, slots)",
                                "List<Link> left = IntStream.range(slots - 1, slots)")
                        .and(
                                "ticket.Conversions",
                                "chain.down(mode, chain.needed(mode), new",
                                "chain.down(mode, chain.links().size(), new")
                        .and(
                                "ticket.Conversions",
                                "int needed = grant.chain().links().size();",
                                "int needed = before.links().size();")
                        .and(
                                "ticket.Conversions",
                                "links.subList(0, needed).forEach(link -> written.add(link.slot().weaken()));",
                                "links.subList(0, needed - 1).forEach(link -> link.slot().letGo(grant));"
                                        + " written.add(links.get(needed - 1).slot().weaken());"),
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TWO_HOLDERS,
                        "conversions: the lowest slot alone stays",
                        "ticket.Conversions",
                        "chain.down(mode, chain.needed(mode), new",
                        "chain.down(mode, 1, new"),
                Mutant.of(
                        Schedules.SIDEWAYS,
                        Violation.TWO_HOLDERS,
                        "conversions: the present mode of a slot decides what may go (rule 7)",
                        "ticket.SlotHold",
                        "return keptOut == null ? conflictingWith(mode()) : keptOut;",
                        "return conflictingWith(mode());"),
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TWO_HOLDERS,
                        "conversions: a handle is weaker than it says as soon as its slot is",
                        "ticket.Conversions",
                        "if (conversion.takeEffect(weaker(before, conversion.target()))) {",
                        "if (conversion.takeEffect(before)) { before.links()"
                                + ".subList(weaker(before, conversion.target()).links().size(), before.links().size())"
                                + ".forEach(link -> link.slot().letGo(grant));"));
    }

    private static Stream<Mutant> tokens() {
        return Stream.of(
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TOKEN_ORDER,
                        "conversions: a token of the reservation before the conversion up is shown (rule 3)",
                        "ticket.Chain",
                        "Stream.concat(links.stream(), Stream.of(granted)).toList(), reservation, grant);",
                        "Stream.concat(links.stream(), Stream.of(granted)).toList(), tokens, number);"),
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.TOKEN_ORDER,
                        "conversions: a slot below a conversion serves further threads (rule 3)",
                        "ticket.SlotHold",
                        "return isBase || keptOut",
                        "return keptOut"));
    }

    private static Stream<Mutant> ends() {
        return Stream.of(
                Mutant.of(
                        Schedules.CONVERSIONS_GIVEN_UP,
                        Violation.CONVERTED_LATE,
                        "conversions: the mode changes although the caller has given up, whose task comes later",
                        "ticket.Conversion",
                        "if (givenUp) { return false; } inEffect = true;",
                        "inEffect = true;"),
                Mutant.of(
                        Schedules.CONVERSIONS_GIVEN_UP,
                        Violation.CONVERTED_LATE,
                        "conversions: the caller is told that the conversion was given up, and the mode has changed",
                        "ticket.Conversion",
                        "if (inEffect) { return; }",
                        ""),
                Mutant.of(
                        Schedules.CONVERSIONS,
                        Violation.LEFT_BEHIND,
                        "conversions: a handle that is released keeps its upper slots",
                        "ticket.Conversions",
                        "written.add(links.get(link).slot().letGo(grant)); } return all(written); } }",
                        "if (link == 0) { written.add(links.get(link).slot().letGo(grant)); } } return all(written); } }"),
                Mutant.of(
                        Schedules.BREAKS,
                        Violation.LEFT_BEHIND,
                        "conversions: a handle that is lost by one slot keeps the others",
                        "ticket.LocalSlot",
                        "lost.forEach(grant -> conversions().end(grant));",
                        "lost.forEach(grant -> conversions().endConversion(grant));"));
    }
}

package io.github.cassandralock.internal.seeded;

import java.util.List;

/** What a till says of prices: the seed, and then three of it. */
enum TillSchedules implements PlantedSchedules {
    PRICES;

    @Override
    public String basePackage() {
        return "io.github.cassandralock.internal.";
    }

    @Override
    public List<String> reloaded() {
        return List.of("seeded.Till");
    }

    @Override
    public List<String> onlyWholeMethods() {
        return List.of("seeded.Till.Receipt");
    }

    @Override
    public List<String> apply(long seed) {
        Till till = new Till();
        int price = (int) seed;
        return List.of(till.receipt(price), "of three: " + till.total(List.of(price, price, price)));
    }
}

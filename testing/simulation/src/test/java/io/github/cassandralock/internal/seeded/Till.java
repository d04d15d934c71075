package io.github.cassandralock.internal.seeded;

import java.util.List;

/** A program to plant faults into. */
class Till {

    private static final int FEE = 1;

    /** A nested class with a method of the same name. */
    static final class Receipt {

        String total(int price) {
            return "to pay: " + price;
        }
    }

    private abstract static class Rule {

        abstract int applyAsInt(int given);
    }

    private final int discount;

    Till() {
        this.discount = 2;
    }

    int total(int price) {
        // the fee is not reduced
        return reduced(price) + FEE;
    }

    int total(List<Integer> prices) {
        int sum = 0;
        for (int price : prices) {
            sum += reduced(price);
        }
        return sum + FEE;
    }

    private int reduced(int price) {
        Rule rule = new Rule() {
            @Override
            int applyAsInt(int given) {
                return given > discount ? given - discount : given;
            }
        };
        return rule.applyAsInt(price);
    }

    String receipt(int price) {
        return new Receipt().total(total(price));
    }
}

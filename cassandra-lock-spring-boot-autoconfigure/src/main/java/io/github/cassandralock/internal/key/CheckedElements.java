package io.github.cassandralock.internal.key;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.ValueRef;

/**
 * A projection, a selection or an index of a key. SpEL reads elements in the order of iteration. Processes iterate over a set in different
 * orders. A list made of a set, or an element taken by its position, would therefore give each process another lock.
 */
final class CheckedElements extends SpelNodeImpl {

    private final SpelNodeImpl elements;

    /** @param elements has one child */
    CheckedElements(SpelNodeImpl elements) {
        super(elements.getStartPosition(), elements.getEndPosition(), (SpelNodeImpl) elements.getChild(0));
        this.elements = elements;
    }

    @Override
    public TypedValue getValueInternal(ExpressionState state) {
        Object all = state.getActiveContextObject().getValue();
        if (elements instanceof Indexer || isFirstOrLast()) {
            requireOrder(all);
            return elements.getValueInternal(state);
        }
        TypedValue made = elements.getValueInternal(state);
        return made.getValue() instanceof List<?> list && !isInOrder(all)
                ? new TypedValue(Collections.unmodifiableCollection(list)) // no list, so its text is sorted
                : made;
    }

    /** A selection of one element: {@code .^[…]} or {@code .$[…]}. */
    private boolean isFirstOrLast() {
        String text = elements.toStringAST();
        return elements instanceof Selection && (text.startsWith("^") || text.startsWith("$"));
    }

    private void requireOrder(@Nullable Object all) {
        if (!hasOrder(all)) {
            throw new UnusablePartException(
                    elements.toStringAST()
                            + " takes an element of a set, or of something else without an order, by its position."
                            + " Another process could find another element there",
                    "Declare a List in its place");
        }
    }

    private boolean hasOrder(@Nullable Object all) {
        if (all instanceof Map) {
            return elements instanceof Indexer || all instanceof SortedMap || all instanceof LinkedHashMap;
        }
        return !(all instanceof Collection)
                || all instanceof List
                || all instanceof Queue
                || all instanceof SortedSet
                || all instanceof LinkedHashSet;
    }

    private static boolean isInOrder(@Nullable Object all) {
        return all instanceof List || (all != null && all.getClass().isArray());
    }

    @Override
    protected ValueRef getValueRef(ExpressionState state) {
        return new ValueRef.TypedValueHolderValueRef(getValueInternal(state), this);
    }

    /** The text as the author may write it: SpEL does not see that the node behind a point is an index. */
    static String text(SpelNode node) {
        return node.toStringAST().replaceAll("(?<!\\?)\\.\\[", "[");
    }

    @Override
    public String toStringAST() {
        return elements.toStringAST();
    }
}

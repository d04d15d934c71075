package io.github.cassandralock.internal.key;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.ValueRef;

/**
 * A projection, a selection or an index of a key. SpEL's own take what has no order, such as a set, in the order of the process: the text of
 * the list that they make of it, and the element with a number, would be another one in each process.
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
        if (elements instanceof Indexer) {
            requireOrder(all);
            return elements.getValueInternal(state);
        }
        TypedValue made = elements.getValueInternal(state);
        return made.getValue() instanceof List<?> list && !isInOrder(all)
                ? new TypedValue(Collections.unmodifiableCollection(list))
                : made;
    }

    private void requireOrder(@Nullable Object all) {
        if (all instanceof Set && !(all instanceof SortedSet || all instanceof LinkedHashSet)) {
            throw new UnusablePartException(
                    elements.toStringAST()
                            + " takes an element of a set by its number, and another process could find another one there",
                    "Declare a List in place of the set");
        }
    }

    private static boolean isInOrder(@Nullable Object all) {
        return all instanceof List || (all != null && all.getClass().isArray());
    }

    @Override
    protected ValueRef getValueRef(ExpressionState state) {
        return new ValueRef.TypedValueHolderValueRef(getValueInternal(state), this);
    }

    /** As the author may write it: SpEL does not see that the node behind a point is an index. */
    static String text(SpelNode node) {
        return node.toStringAST().replaceAll("(?<!\\?)\\.\\[", "[");
    }

    @Override
    public String toStringAST() {
        return elements.toStringAST();
    }
}

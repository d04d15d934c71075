package io.github.cassandralock.internal.seeded;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The text of a source file, in which classes, their members and the parts of these are found. Nothing is compiled. */
final class ParsedSource {

    private static final Pattern COMMENTS_AND_SPACE = Pattern.compile("/\\*.*?\\*/|//[^\n]*|\\s+", Pattern.DOTALL);
    private static final String RIGHT = "right";

    private final String text;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    private ParsedSource(String text, CompilationUnitTree unit, SourcePositions positions) {
        this.text = text;
        this.unit = unit;
        this.positions = positions;
    }

    static ParsedSource of(String text) {
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, List.of("-proc:none"), null, List.of(new Text(text)));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            return new ParsedSource(text, unit, Trees.instance(task).getSourcePositions());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Text extends SimpleJavaFileObject {

        private final String text;

        Text(String text) {
            super(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private record Range(int start, int end) {

        String in(String text) {
            return text.substring(start, end);
        }

        String replacedIn(String text, String planted) {
            return text.substring(0, start) + planted + text.substring(end);
        }
    }

    String withMember(SourceType type, String member) {
        int end = range(classOf(type)).end() - 1;
        return new Range(end, end).replacedIn(text, "\n" + member + "\n");
    }

    String withBody(SourceType type, String member, String planted) {
        Tree found = member(type, member);
        return range(body(found)).replacedIn(text, asBody(found, planted));
    }

    String withBodyAround(SourceType type, String member, String planted) {
        Tree found = member(type, member);
        Range all = range(found);
        Range body = range(body(found));
        Range name = nameOf(found);
        String right = text.substring(all.start(), name.start()).replace("@Override", "")
                + RIGHT
                + text.substring(name.end(), all.end());
        String wrong = text.substring(all.start(), body.start())
                + asBody(found, planted)
                + text.substring(body.end(), all.end());
        return all.replacedIn(text, right + "\n" + wrong);
    }

    String withReplaced(SourceType type, String member, String original, String planted) {
        Tree body = body(member(type, member));
        String wanted = stripped(original);
        Set<Range> places = new LinkedHashSet<>();
        new TreeScanner<Void, Set<Range>>() {
            @Override
            public @Nullable Void scan(@Nullable Tree tree, Set<Range> found) {
                if (tree != null && isInText(tree) && stripped(source(tree)).equals(wanted)) {
                    found.add(range(tree));
                }
                return super.scan(tree, found);
            }
        }.scan(body, places);
        if (places.size() != 1) {
            throw new NoPlaceException(
                    type + "." + member + " has " + places.size() + " statements or expressions: " + original);
        }
        return places.iterator().next().replacedIn(text, planted);
    }

    private ClassTree classOf(SourceType type) {
        List<? extends Tree> members = unit.getTypeDecls();
        ClassTree found = null;
        for (String name : type.path()) {
            found = members.stream()
                    .filter(ClassTree.class::isInstance)
                    .map(ClassTree.class::cast)
                    .filter(declared -> declared.getSimpleName().contentEquals(name))
                    .findFirst()
                    .orElseThrow(() -> new NoPlaceException("there is no class " + type));
            members = found.getMembers();
        }
        return Objects.requireNonNull(found);
    }

    private Tree member(SourceType type, String member) {
        List<Tree> found = membersOf(classOf(type)).stream()
                .filter(declared -> isNamed(declared, member, type))
                .toList();
        if (found.size() != 1) {
            throw new NoPlaceException(type + " has " + found.size() + " methods or fields " + member);
        }
        return found.get(0);
    }

    /** Those of anonymous classes, too, but not those of nested classes, which have names. */
    private static List<Tree> membersOf(ClassTree type) {
        List<Tree> members = new ArrayList<>();
        type.getMembers().stream()
                .filter(member -> member instanceof VariableTree field && field.getInitializer() != null)
                .forEach(members::add);
        new TreeScanner<Void, List<Tree>>() {
            @Override
            public @Nullable Void visitClass(ClassTree nested, List<Tree> found) {
                boolean named = nested != type && !nested.getSimpleName().isEmpty();
                return named ? null : super.visitClass(nested, found);
            }

            @Override
            public @Nullable Void visitMethod(MethodTree method, List<Tree> found) {
                found.add(method);
                return super.visitMethod(method, found);
            }
        }.scan(type, members);
        return members;
    }

    private boolean isNamed(Tree declared, String member, SourceType type) {
        if (declared instanceof MethodTree method) {
            String name = method.getReturnType() == null
                    ? type.path().get(type.path().size() - 1)
                    : method.getName().toString();
            return name.equals(member) || (name + parametersOf(method)).equals(stripped(member));
        }
        return ((VariableTree) declared).getName().contentEquals(member);
    }

    private String parametersOf(MethodTree method) {
        return method.getParameters().stream()
                .map(parameter -> stripped(source(parameter.getType())))
                .collect(Collectors.joining(",", "(", ")"));
    }

    private static Tree body(Tree member) {
        Tree body = member instanceof MethodTree method ? method.getBody() : ((VariableTree) member).getInitializer();
        if (body == null) {
            throw new NoPlaceException("a method without a body");
        }
        return body;
    }

    private static String asBody(Tree member, String planted) {
        return member instanceof MethodTree ? "{ " + planted + " }" : planted;
    }

    private Range nameOf(Tree member) {
        Tree type = member instanceof MethodTree method ? method.getReturnType() : ((VariableTree) member).getType();
        if (type == null) {
            throw new NoPlaceException("a constructor, which cannot be called from a new body");
        }
        String name = member instanceof MethodTree method
                ? method.getName().toString()
                : ((VariableTree) member).getName().toString();
        int start = text.indexOf(name, range(type).end());
        return new Range(start, start + name.length());
    }

    private boolean isInText(Tree tree) {
        return positions.getStartPosition(unit, tree) >= 0
                && positions.getEndPosition(unit, tree) >= positions.getStartPosition(unit, tree);
    }

    private Range range(Tree tree) {
        return new Range((int) positions.getStartPosition(unit, tree), (int) positions.getEndPosition(unit, tree));
    }

    private String source(Tree tree) {
        return range(tree).in(text);
    }

    private static String stripped(String source) {
        return COMMENTS_AND_SPACE.matcher(source).replaceAll("");
    }
}

package io.github.cassandralock.documentation;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Parses and compiles Java that is in memory. Nothing is written. */
final class JavaSources {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private static final List<String> OPTIONS = List.of(
            "--release", "17", "-proc:none", "-parameters", "-Xlint:deprecation,removal,unchecked,rawtypes", "-Werror");

    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("^public (?:\\w+ )*(?:class|interface|record|enum) (\\w+)", Pattern.MULTILINE);

    private JavaSources() {}

    static boolean canBeParsed(String source) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try {
            task(FILES, diagnostics, List.of(new Source(source))).parse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return diagnostics.getDiagnostics().stream().noneMatch(each -> each.getKind() == Diagnostic.Kind.ERROR);
    }

    /** Compiles the sources together: what the compiler has to say against each of them. */
    static List<List<Complaint>> compile(List<String> texts) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<Source> sources = texts.stream().map(Source::new).toList();
        try {
            task(FILES, diagnostics, sources).analyze();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources.stream().map(source -> complaints(source, diagnostics)).toList();
    }

    /** A complaint about no source, for example about an option, goes to each. */
    private static List<Complaint> complaints(Source source, DiagnosticCollector<JavaFileObject> diagnostics) {
        return diagnostics.getDiagnostics().stream()
                .filter(each -> each.getSource() == null || each.getSource() == source)
                .map(each -> new Complaint(each.getLineNumber(), each.getMessage(null)))
                .toList();
    }

    private static JavacTask task(
            JavaFileManager files, DiagnosticCollector<JavaFileObject> diagnostics, List<Source> sources) {
        return (JavacTask) COMPILER.getTask(null, files, diagnostics, OPTIONS, null, sources);
    }

    /**
     * What the compiler says.
     *
     * @param line of the source, from 1
     */
    record Complaint(long line, String message) {}

    /** A file named as its public type demands. */
    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String text) {
            super(URI.create("memory:///" + name(text) + ".java"), Kind.SOURCE);
            this.text = text;
        }

        private static String name(String text) {
            Matcher type = PUBLIC_TYPE.matcher(text);
            return type.find() ? type.group(1) : "Snippet";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}

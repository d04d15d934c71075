package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaHomeSearchTest {

    @TempDir
    private Path machine;

    private final Properties properties = new Properties();
    private final Map<String, String> environment = new HashMap<>();

    @Test
    void takesTheConfiguredPropertyBeforeAllOthers() throws IOException {
        properties.setProperty(JavaHomeSearch.PROPERTY, home("by-property", "17.0.15"));
        environment.put(JavaHomeSearch.VARIABLE, home("by-variable", "17.0.15"));
        properties.setProperty("java.home", home("running", "17.0.15"));

        assertThat(find().directory()).isEqualTo(machine.resolve("by-property"));
    }

    @Test
    void takesTheConfiguredVariableBeforeTheRunningJvm() throws IOException {
        environment.put(JavaHomeSearch.VARIABLE, home("by-variable", "17"));
        properties.setProperty("java.home", home("running", "17.0.15"));

        assertThat(find().directory()).isEqualTo(machine.resolve("by-variable"));
    }

    @Test
    void takesTheRunningJvmBeforeJavaHome() throws IOException {
        properties.setProperty("java.home", home("running", "17.0.15"));
        environment.put("JAVA_HOME", home("java-home", "17.0.14"));

        assertThat(find().directory()).isEqualTo(machine.resolve("running"));
    }

    @Test
    void passesOverARunningJvmThatIsTooNew() throws IOException {
        properties.setProperty("java.home", home("running", "25.0.1"));
        environment.put("JAVA_HOME", home("java-home", "17.0.14"));

        assertThat(find()).isEqualTo(new JavaHome(machine.resolve("java-home"), 17));
    }

    @Test
    void findsAnInstalledJdkBesideOthers() throws IOException {
        properties.setProperty("java.home", home("jvm/a-25", "25.0.1"));
        home("jvm/b-11", "11.0.20");
        home("jvm/c-17", "17.0.9");

        assertThat(find().directory()).isEqualTo(machine.resolve("jvm/c-17"));
    }

    @Test
    void findsAJdkLaidOutAsOnMacOs() throws IOException {
        home("jvm/temurin-17.jdk/Contents/Home", "17.0.9");

        assertThat(find().directory()).isEqualTo(machine.resolve("jvm/temurin-17.jdk/Contents/Home"));
    }

    @Test
    void refusesAConfiguredHomeThatIsTooNewThoughAnotherWouldServe() throws IOException {
        String configured = home("configured", "25.0.1");
        properties.setProperty(JavaHomeSearch.PROPERTY, configured);
        properties.setProperty("java.home", home("running", "17.0.15"));

        assertThatThrownBy(this::find)
                .isInstanceOf(LocalCassandraException.class)
                .hasMessageContaining(configured)
                .hasMessageContaining("Java 25")
                .hasMessageContaining(JavaHomeSearch.PROPERTY);
    }

    @Test
    void refusesAConfiguredDirectoryThatIsNoJavaHome() {
        environment.put(JavaHomeSearch.VARIABLE, machine.resolve("nothing").toString());

        assertThatThrownBy(this::find)
                .isInstanceOf(LocalCassandraException.class)
                .hasMessageContaining(JavaHomeSearch.VARIABLE)
                .hasMessageContaining("not a Java home");
    }

    @Test
    void refusesAConfiguredValueThatIsNoPath() {
        properties.setProperty(JavaHomeSearch.PROPERTY, "/jdk\0");

        assertThatThrownBy(this::find)
                .isInstanceOf(LocalCassandraException.class)
                .hasMessageContaining("not a Java home");
    }

    @Test
    void saysWhatItLookedAtWhenThereIsNone() throws IOException {
        String running = home("running", "25.0.1");
        properties.setProperty("java.home", running);
        home("jvm/b-11", "11.0.20");

        assertThatThrownBy(this::find)
                .isInstanceOf(LocalCassandraException.class)
                .hasMessageContaining("the running JVM: " + running + ", Java 25")
                .hasMessageContaining("JAVA_HOME: not set")
                .hasMessageContaining(machine.resolve("jvm") + ": Java [11]")
                .hasMessageContaining("-D" + JavaHomeSearch.PROPERTY)
                .hasMessageContaining(JavaHomeSearch.VARIABLE);
    }

    @Test
    void readsTheOldVersionScheme() throws IOException {
        assertThat(JavaHome.read(Path.of(home("eight", "1.8.0_402"))))
                .hasValueSatisfying(home -> assertThat(home.feature()).isEqualTo(8));
    }

    private JavaHome find() {
        return new JavaHomeSearch(properties, environment, List.of(machine.resolve("jvm"))).find();
    }

    private String home(String name, String version) throws IOException {
        Path home = machine.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Path java = Files.createFile(home.resolve("bin/java"));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home.toString();
    }
}

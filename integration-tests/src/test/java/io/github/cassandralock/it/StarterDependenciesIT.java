package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.runtime.standalonestatic.StandaloneStaticRuntime;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;
import org.eclipse.aether.resolution.ArtifactDescriptorRequest;
import org.eclipse.aether.util.artifact.ArtifactIdUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dependencies of an application that names the starter alone, with the BOM of one Spring Boot or the next, as Maven resolves them
 * from the POMs of this checkout. Costs seconds, and a download the first time.
 */
@Tag("once")
class StarterDependenciesIT {

    private static final String PROJECT = "io.github.cassandralock";
    private static final String SPRING_BOOT = "org.springframework.boot";
    private static final String STARTER_AOP = SPRING_BOOT + ":spring-boot-starter-aop";

    /** The POMs of this checkout, whether or not they were installed. */
    private static final class Checkout implements WorkspaceReader {

        private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

        private final WorkspaceRepository repository = new WorkspaceRepository("checkout");

        @Override
        public WorkspaceRepository getRepository() {
            return repository;
        }

        @Override
        public @Nullable File findArtifact(Artifact artifact) {
            if (!artifact.getGroupId().equals(PROJECT)
                    || !artifact.getExtension().equals("pom")) {
                return null;
            }
            Path folder = artifact.getArtifactId().equals("cassandra-lock-parent")
                    ? ROOT
                    : ROOT.resolve(artifact.getArtifactId());
            return folder.resolve("pom.xml").toFile();
        }

        @Override
        public List<String> findVersions(Artifact artifact) {
            return List.of();
        }
    }

    static Stream<String> springBoots() {
        return Stream.of("expected.spring-boot.version", "spring-boot-4.version")
                .map(System::getProperty)
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("springBoots")
    void applicationHasOneSpringAlthoughTheStarterNamesAnArtifactOfSpringBoot3(String springBoot) throws Exception {
        try (Context maven = new StandaloneStaticRuntime()
                .create(ContextOverrides.create().withUserSettings(true).build())) {
            List<Dependency> managed = managedBy(springBoot, maven);
            Map<String, Set<String>> versions = versions("cassandra-lock-spring-boot-starter", managed, maven);

            assertThat(versions)
                    .containsKeys(STARTER_AOP, "org.aspectj:aspectjweaver", "org.springframework:spring-aop");
            assertThat(versions.values()).as("versions of one artifact").allMatch(some -> some.size() == 1);
            assertThat(managed)
                    .filteredOn(one -> versions.containsKey(ArtifactIdUtils.toVersionlessId(one.getArtifact())))
                    .allSatisfy(one -> assertThat(versions.get(ArtifactIdUtils.toVersionlessId(one.getArtifact())))
                            .containsExactly(one.getArtifact().getVersion()));
            versions.remove(STARTER_AOP);
            assertThat(versionsOf(SPRING_BOOT, versions)).containsExactly(springBoot);
            assertThat(versionsOf("org.springframework", versions)).hasSize(1);
        }
    }

    /** One of the two starters brings nothing of the other, and that of exactly-once brings no store. */
    @ParameterizedTest
    @MethodSource("springBoots")
    void starterBringsNothingOfTheOtherAndNoStore(String springBoot) throws Exception {
        try (Context maven = new StandaloneStaticRuntime()
                .create(ContextOverrides.create().withUserSettings(true).build())) {
            List<Dependency> managed = managedBy(springBoot, maven);
            assertThat(versions("cassandra-lock-spring-boot-starter", managed, maven)
                            .keySet())
                    .contains(PROJECT + ":cassandra-lock-core", PROJECT + ":startup-support")
                    .noneMatch(artifact -> artifact.startsWith(PROJECT + ":exactly-once"));
            assertThat(versions("exactly-once-spring-boot-starter", managed, maven)
                            .keySet())
                    .contains(PROJECT + ":exactly-once", PROJECT + ":startup-support")
                    .noneMatch(artifact -> artifact.startsWith(PROJECT + ":cassandra-lock"))
                    .noneMatch(artifact -> artifact.startsWith("org.apache.cassandra:"))
                    .noneMatch(artifact -> artifact.startsWith("org.springframework.data:"))
                    .noneMatch(artifact -> artifact.startsWith("io.lettuce:"));
        }
    }

    private static Set<String> versionsOf(String group, Map<String, Set<String>> versions) {
        return versions.entrySet().stream()
                .filter(artifact -> artifact.getKey().startsWith(group + ":"))
                .flatMap(artifact -> artifact.getValue().stream())
                .collect(Collectors.toSet());
    }

    private static List<Dependency> managedBy(String springBoot, Context maven) throws Exception {
        DefaultArtifact bom = new DefaultArtifact(SPRING_BOOT, "spring-boot-dependencies", "pom", springBoot);
        return maven.repositorySystem()
                .readArtifactDescriptor(
                        maven.repositorySystemSession(),
                        new ArtifactDescriptorRequest(bom, maven.remoteRepositories(), ""))
                .getManagedDependencies();
    }

    /** Of each artifact, with its group. */
    private static Map<String, Set<String>> versions(String starter, List<Dependency> managed, Context maven)
            throws Exception {
        DefaultRepositorySystemSession session = new DefaultRepositorySystemSession(maven.repositorySystemSession());
        session.setWorkspaceReader(new Checkout());
        CollectRequest application = new CollectRequest()
                .setDependencies(List.of(new Dependency(
                        new DefaultArtifact(PROJECT, starter, "jar", System.getProperty("project.version")),
                        "compile")))
                .setManagedDependencies(managed)
                .setRepositories(maven.remoteRepositories());
        Map<String, Set<String>> versions = new TreeMap<>();
        collect(
                maven.repositorySystem()
                        .collectDependencies(session, application)
                        .getRoot(),
                versions);
        return versions;
    }

    private static void collect(DependencyNode node, Map<String, Set<String>> versions) {
        for (DependencyNode child : node.getChildren()) {
            Artifact artifact = child.getArtifact();
            versions.computeIfAbsent(artifact.getGroupId() + ":" + artifact.getArtifactId(), first -> new TreeSet<>())
                    .add(artifact.getVersion());
            collect(child, versions);
        }
    }
}

package io.github.cassandralock.local;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.runtime.standalonestatic.StandaloneStaticRuntime;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.eclipse.aether.util.filter.DependencyFilterUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jars of a node: Cassandra and its dependencies in the versions of its own POM, not in the application's versions.
 *
 * @param jars in class path order
 */
record NodeClassPath(List<Path> jars) {

    private static final Logger log = LoggerFactory.getLogger(NodeClassPath.class);
    private static final int READ_TIMEOUT_MILLIS = 60_000;

    NodeClassPath {
        jars = List.copyOf(jars);
    }

    /**
     * Takes the jars from the user's local Maven repository. Downloads missing ones by the mirrors, proxies and credentials of the
     * user's Maven settings. Blocks.
     *
     * @throws LocalCassandraException if an artifact is not available
     */
    static NodeClassPath resolve(String version) {
        DownloadProgress progress = new DownloadProgress("Apache Cassandra " + version);
        // The runtime is named here instead of a lookup, which would depend on the calling thread's class loader.
        try (Context context = new StandaloneStaticRuntime().create(overrides(progress))) {
            NodeClassPath classPath = resolve(version, context);
            progress.finished(classPath.jars.size());
            return classPath;
        }
    }

    private static ContextOverrides overrides(DownloadProgress progress) {
        ContextOverrides.Builder overrides = ContextOverrides.create()
                .withUserSettings(true)
                .configProperties(Map.of("aether.connector.requestTimeout", READ_TIMEOUT_MILLIS))
                .transferListener(progress);
        String localRepository = System.getProperty("maven.repo.local");
        if (localRepository != null && !localRepository.isBlank()) {
            overrides.withLocalRepositoryOverride(Path.of(localRepository).toAbsolutePath());
        }
        return overrides.build();
    }

    private static NodeClassPath resolve(String version, Context context) {
        String coordinates = "org.apache.cassandra:cassandra-all:" + version;
        CollectRequest collect = new CollectRequest(
                new Dependency(new DefaultArtifact(coordinates), JavaScopes.RUNTIME), context.remoteRepositories());
        DependencyRequest request =
                new DependencyRequest(collect, DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME));
        Path repository = context.repositorySystemSession()
                .getLocalRepository()
                .getBasedir()
                .toPath();
        log.debug("Resolving {} in {}", coordinates, repository);
        try {
            return new NodeClassPath(context
                    .repositorySystem()
                    .resolveDependencies(context.repositorySystemSession(), request)
                    .getArtifactResults()
                    .stream()
                    .map(result -> result.getArtifact().getFile().toPath())
                    .toList());
        } catch (DependencyResolutionException e) {
            throw new LocalCassandraException(
                    "Cannot get " + coordinates + " and its dependencies from " + context.remoteRepositories()
                            + " into "
                            + repository + ": " + e.getMessage() + ". The first start downloads about 70 MB; check the"
                            + " network, and mirror and proxy in Maven's settings.xml. Later starts need no network.",
                    e);
        }
    }

    /** The one jar of an artifact. */
    Path jar(String artifactId) {
        return jars.stream()
                .filter(jar -> jar.getFileName().toString().matches(artifactId + "-\\d.*\\.jar"))
                .findFirst()
                .orElseThrow(() -> new LocalCassandraException("No " + artifactId + " jar among " + jars));
    }

    /** @param first precedes all jars */
    String asOption(Path first) {
        return first
                + File.pathSeparator
                + jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}

package io.github.cassandralock.test;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.cassandralock.internal.structure.Structure;

@AnalyzeClasses(packages = "io.github.cassandralock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule CLASS_CYCLES = Structure.classCycles(0);

    @ArchTest
    static final ArchRule PACKAGE_CYCLES = Structure.packageCycles(2);

    @ArchTest
    static final ArchRule LONGEST_CLASS = Structure.longestFile(265);

    @ArchTest
    static final ArchRule CALLBACKS = Structure.callbacks("io.github.cassandralock..");
}

// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the native library: where the property {@code libdk.library.path} says (the file itself), in the folder of
 * {@code libdk.library.directory}, on {@code java.library.path}, or inside the jar, from which it is extracted once
 * for each version of its content.
 */
final class NativeLoader {
    private static final String JNI_NAME = "dkjni";
    private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");
    /** The library, and that for JNI, which links it. */
    private static final String[] LIBRARIES = {WINDOWS ? "dk.dll" : "libdk.so.0", System.mapLibraryName(JNI_NAME)};
    /** What the library links and not every system has, where the jar has it. */
    private static final String OPENMP = "libgomp.so.1";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private NativeLoader() {}

    static void load() {
        String file = System.getProperty("libdk.library.path");
        if (file != null) {
            System.load(Path.of(file).toAbsolutePath().toString());
            return;
        }
        String directory = System.getProperty("libdk.library.directory");
        if (directory != null) {
            loadFrom(Path.of(directory).toAbsolutePath());
            return;
        }
        try {
            System.loadLibrary(JNI_NAME);
        } catch (UnsatisfiedLinkError notOnThePath) {
            try {
                loadFrom(extracted());
            } catch (IOException | NoSuchAlgorithmException error) {
                UnsatisfiedLinkError failure = new UnsatisfiedLinkError(
                        "libdk's native library is neither on java.library.path nor can it be extracted: " + error
                                + "; the property libdk.library.directory names a folder that has it");
                failure.initCause(error);
                throw failure;
            }
        }
    }

    /** Windows finds what a library links when it is loaded already; other systems look beside it. */
    private static void loadFrom(Path folder) {
        if (WINDOWS) System.load(folder.resolve(LIBRARIES[0]).toString());
        System.load(folder.resolve(LIBRARIES[1]).toString());
    }

    private static String platform() {
        String system = WINDOWS ? "windows" : System.getProperty("os.name").toLowerCase().replace(' ', '-');
        return system + "-" + System.getProperty("os.arch").replace("amd64", "x86_64");
    }

    /** The library for JNI beside those it links, in a folder that bears the hash of all. */
    private static Path extracted() throws IOException, NoSuchAlgorithmException {
        Map<String, byte[]> hashes = new LinkedHashMap<>();
        MessageDigest all = MessageDigest.getInstance("SHA-256");
        for (String library : librariesInJar()) {
            try (InputStream stream = inJar(library)) {
                hashes.put(library, hash(stream));
            }
            all.update(hashes.get(library));
        }
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String user = WINDOWS ? System.getProperty("user.name") : ownNumber(temporary);
        StringBuilder name = new StringBuilder("libdk-").append(user).append('-');
        byte[] hash = all.digest();
        for (int i = 0; i < 12; i++) name.append(String.format("%02x", hash[i]));
        Path folder = temporary.resolve(name.toString());
        makeOwned(folder, user);
        for (Map.Entry<String, byte[]> library : hashes.entrySet()) write(folder, library.getKey(), library.getValue());
        return folder;
    }

    private static List<String> librariesInJar() {
        List<String> libraries = new ArrayList<>(List.of(LIBRARIES));
        if (NativeLoader.class.getResource(resource(OPENMP)) != null) libraries.add(OPENMP);
        return libraries;
    }

    private static String resource(String library) {
        return "/org/libdk/native/" + platform() + "/" + library;
    }

    private static InputStream inJar(String library) throws IOException {
        InputStream stream = NativeLoader.class.getResourceAsStream(resource(library));
        if (stream == null) throw new IOException("the jar has no " + resource(library));
        return stream;
    }

    /** In pieces: the libraries are larger than small heaps. */
    private static byte[] hash(InputStream stream) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] piece = new byte[1 << 16];
        for (int size = stream.read(piece); size >= 0; size = stream.read(piece)) digest.update(piece, 0, size);
        return digest.digest();
    }

    /** The number of the user, who has no name in many containers: what they make is theirs. */
    private static String ownNumber(Path temporary) throws IOException {
        Path made = Files.createTempFile(temporary, "libdk", null);
        try {
            return numberOfOwner(made);
        } finally {
            Files.delete(made);
        }
    }

    private static String numberOfOwner(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).toString();
    }

    /**
     * Code is loaded from there, so nobody else may have made it. Windows gives each user a folder for temporary files
     * that others don't write.
     */
    private static void makeOwned(Path folder, String user) throws IOException {
        if (WINDOWS) {
            Files.createDirectories(folder);
            return;
        }
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        boolean onlyOwner = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
                .equals(OWNER_ONLY);
        if (!onlyOwner || !numberOfOwner(folder).equals(user))
            throw new IOException(folder + " is not a folder of user " + user + " alone");
    }

    /** Other processes see the whole file or none. */
    private static void write(Path folder, String library, byte[] hash) throws IOException, NoSuchAlgorithmException {
        Path file = folder.resolve(library);
        if (Files.exists(file)) {
            try (InputStream stream = Files.newInputStream(file)) {
                if (Arrays.equals(hash(stream), hash)) return;
            }
        }
        Path part = Files.createTempFile(folder, "part", null);
        try (InputStream stream = inJar(library)) {
            Files.copy(stream, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

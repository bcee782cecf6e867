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
import java.util.Arrays;
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
                        "libdk's native library is neither on java.library.path nor can it be extracted: " + error);
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

    /** The library for JNI beside the one it links, in a folder that bears the hash of both. */
    private static Path extracted() throws IOException, NoSuchAlgorithmException {
        byte[][] hashes = new byte[LIBRARIES.length][];
        MessageDigest both = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < LIBRARIES.length; i++) {
            try (InputStream stream = inJar(i)) {
                hashes[i] = hash(stream);
            }
            both.update(hashes[i]);
        }
        StringBuilder name = new StringBuilder("libdk-").append(System.getProperty("user.name")).append('-');
        byte[] hash = both.digest();
        for (int i = 0; i < 12; i++) name.append(String.format("%02x", hash[i]));
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), name.toString());
        makeOwned(folder);
        for (int i = 0; i < LIBRARIES.length; i++) write(folder.resolve(LIBRARIES[i]), i, hashes[i]);
        return folder;
    }

    private static InputStream inJar(int library) throws IOException {
        String resource = "/org/libdk/native/" + platform() + "/" + LIBRARIES[library];
        InputStream stream = NativeLoader.class.getResourceAsStream(resource);
        if (stream == null) throw new IOException("the jar has no " + resource);
        return stream;
    }

    /** In pieces: the libraries are larger than small heaps. */
    private static byte[] hash(InputStream stream) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] piece = new byte[1 << 16];
        for (int size = stream.read(piece); size >= 0; size = stream.read(piece)) digest.update(piece, 0, size);
        return digest.digest();
    }

    /**
     * Code is loaded from there, so nobody else may have made it. Windows gives each user a folder for temporary files
     * that others don't write.
     */
    private static void makeOwned(Path folder) throws IOException {
        if (WINDOWS) {
            Files.createDirectories(folder);
            return;
        }
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        String owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName();
        boolean onlyOwner = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
                .equals(OWNER_ONLY);
        if (!onlyOwner || !owner.equals(System.getProperty("user.name")))
            throw new IOException(folder + " is not a folder of this user alone");
    }

    /** Other processes see the whole file or none. */
    private static void write(Path file, int library, byte[] hash) throws IOException, NoSuchAlgorithmException {
        if (Files.exists(file)) {
            try (InputStream stream = Files.newInputStream(file)) {
                if (Arrays.equals(hash(stream), hash)) return;
            }
        }
        Path part = Files.createTempFile(file.getParent(), "part", null);
        try (InputStream stream = inJar(library)) {
            Files.copy(stream, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

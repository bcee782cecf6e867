// SPDX-License-Identifier: Apache-2.0
//
// What the generated wrappers call: arrays, text and exceptions between C++ and Java.
#pragma once

#include <jni.h>

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace dk_java {

inline void raise_null(JNIEnv* env) {
    const jclass type = env->FindClass("java/lang/NullPointerException");
    if (type != nullptr) env->ThrowNew(type, "an argument is null");
}

inline jbyteArray bytes_of(JNIEnv* env, const std::string& text) {
    const auto size = static_cast<jsize>(text.size());
    const jbyteArray bytes = env->NewByteArray(size);
    if (bytes != nullptr)
        env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(text.data()));
    return bytes;
}

inline bool text_of(JNIEnv* env, jbyteArray bytes, std::string& text) {
    if (bytes == nullptr) {
        raise_null(env);
        return false;
    }
    text.resize(static_cast<std::size_t>(env->GetArrayLength(bytes)));
    env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
    return true;
}

/// Throws a DkException in Java, unless another exception waits already.
inline void raise(JNIEnv* env, int status, const std::string& message) {
    if (env->ExceptionCheck() == JNI_TRUE) return;
    const jclass type = env->FindClass("org/libdk/DkException");
    if (type == nullptr) return;
    const jmethodID create = env->GetStaticMethodID(type, "of", "(I[B)Lorg/libdk/DkException;");
    if (create == nullptr) return;
    const jbyteArray text = bytes_of(env, message);
    if (text == nullptr) return;
    const auto error = static_cast<jthrowable>(env->CallStaticObjectMethod(type, create, status, text));
    if (env->ExceptionCheck() == JNI_FALSE && error != nullptr) env->Throw(error);
}

/// A Java exception on its way through C++.
class Thrown {
  public:
    Thrown(JNIEnv* env, jthrowable thrown)
        : kept_(static_cast<jthrowable>(env->NewGlobalRef(thrown)), Release{env}) {}
    void raise(JNIEnv* env) const { env->Throw(kept_.get()); }

  private:
    struct Release {
        JNIEnv* env;
        void operator()(jthrowable thrown) const { env->DeleteGlobalRef(thrown); }
    };
    std::shared_ptr<std::remove_pointer_t<jthrowable>> kept_;
};

template <typename Array>
struct ElementsOf;
template <>
struct ElementsOf<jdoubleArray> {
    using Java = jdouble;
    using Native = double;
    static Java* get(JNIEnv* env, jdoubleArray a) { return env->GetDoubleArrayElements(a, nullptr); }
    static void release(JNIEnv* env, jdoubleArray a, Java* values, jint mode) {
        env->ReleaseDoubleArrayElements(a, values, mode);
    }
};
template <>
struct ElementsOf<jfloatArray> {
    using Java = jfloat;
    using Native = float;
    static Java* get(JNIEnv* env, jfloatArray a) { return env->GetFloatArrayElements(a, nullptr); }
    static void release(JNIEnv* env, jfloatArray a, Java* values, jint mode) {
        env->ReleaseFloatArrayElements(a, values, mode);
    }
};
template <>
struct ElementsOf<jlongArray> {
    using Java = jlong;
    using Native = std::int64_t;
    static Java* get(JNIEnv* env, jlongArray a) { return env->GetLongArrayElements(a, nullptr); }
    static void release(JNIEnv* env, jlongArray a, Java* values, jint mode) {
        env->ReleaseLongArrayElements(a, values, mode);
    }
};
template <>
struct ElementsOf<jbyteArray> {
    using Java = jbyte;
    using Native = std::byte;
    static Java* get(JNIEnv* env, jbyteArray a) { return env->GetByteArrayElements(a, nullptr); }
    static void release(JNIEnv* env, jbyteArray a, Java* values, jint mode) {
        env->ReleaseByteArrayElements(a, values, mode);
    }
};

/// The elements of a Java array for the time of a call; written back where they are results.
template <typename Array>
class Elements {
  public:
    Elements() = default;
    Elements(const Elements&) = delete;
    Elements& operator=(const Elements&) = delete;
    ~Elements() {
        if (values_ != nullptr) Of::release(env_, array_, values_, is_result_ ? 0 : JNI_ABORT);
    }

    /// False where a Java exception waits.
    bool take(JNIEnv* env, Array array, bool is_result = false) {
        if (array == nullptr) {
            raise_null(env);
            return false;
        }
        env_ = env;
        array_ = array;
        is_result_ = is_result;
        values_ = Of::get(env, array);
        if (values_ == nullptr) raise(env, 6, "out of memory: the elements of a Java array");
        return values_ != nullptr;
    }
    std::span<typename ElementsOf<Array>::Native> view() const {
        return {reinterpret_cast<typename Of::Native*>(values_),
                static_cast<std::size_t>(env_->GetArrayLength(array_))};
    }

  private:
    using Of = ElementsOf<Array>;
    JNIEnv* env_ = nullptr;
    Array array_ = nullptr;
    bool is_result_ = false;
    typename Of::Java* values_ = nullptr;
};

/// An array that is to be pinned.
struct PinnedDoubles {
    JNIEnv* env = nullptr;
    jdoubleArray array = nullptr;
};

/// A pinned array: not copied, but the collector waits, and nothing of Java may be called meanwhile.
class Pinned {
  public:
    explicit Pinned(PinnedDoubles x)
        : x_(x),
          size_(static_cast<std::size_t>(x.env->GetArrayLength(x.array))),
          values_(static_cast<double*>(x.env->GetPrimitiveArrayCritical(x.array, nullptr))) {
        if (values_ == nullptr) throw std::bad_alloc();
    }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned() { x_.env->ReleasePrimitiveArrayCritical(x_.array, values_, JNI_ABORT); }

    std::span<const double> view() const { return {values_, size_}; }

  private:
    PinnedDoubles x_;
    std::size_t size_;
    double* values_;
};

/// A direct buffer: its memory is used as it is.
struct DirectOut : std::span<double> {
    using std::span<double>::span;
};
struct Direct : std::span<const double> {
    using std::span<const double>::span;
};

template <typename View>
bool direct_doubles(JNIEnv* env, jobject buffer, View& view) {
    void* address = buffer != nullptr ? env->GetDirectBufferAddress(buffer) : nullptr;
    if (address == nullptr) {
        raise(env, 1, "the buffer is not direct");
        return false;
    }
    view =
        View(static_cast<double*>(address), static_cast<std::size_t>(env->GetDirectBufferCapacity(buffer)));
    return true;
}

/// What the last callback of this thread threw, until the call that it ended has returned.
inline std::unique_ptr<Thrown>& waiting() {
    thread_local std::unique_ptr<Thrown> thrown;
    return thrown;
}

/// Throws in Java what waits; false where nothing does.
inline bool raise_waiting(JNIEnv* env) {
    const auto thrown = std::move(waiting());
    if (thrown) thrown->raise(env);
    return thrown != nullptr;
}

/// Keeps what the last call of Java threw until the call of libdk has returned; false where it threw nothing.
inline bool keep_thrown(JNIEnv* env) {
    const jthrowable thrown = env->ExceptionOccurred();
    if (thrown == nullptr) return false;
    env->ExceptionClear();
    waiting() = std::make_unique<Thrown>(env, thrown);
    return true;
}

/// Keeps an object of Java until nobody knows it, on any thread.
template <typename Object>
std::shared_ptr<std::remove_pointer_t<Object>> kept(JNIEnv* env, JavaVM* machine, Object object) {
    const auto global = static_cast<Object>(env->NewGlobalRef(object));
    if (global == nullptr) throw std::bad_alloc();
    return {global, [machine](Object released) {
                JNIEnv* here = nullptr;
                if (machine->AttachCurrentThread(reinterpret_cast<void**>(&here), nullptr) == JNI_OK)
                    here->DeleteGlobalRef(released);
            }};
}

/// A listener that asks only whether the thread of the call is interrupted. It takes no text and makes no
/// object, so that small calls stay small.
class Interrupts {
  public:
    explicit Interrupts(JNIEnv* env) {
        env->GetJavaVM(&machine_);
        const jclass control = env->FindClass("org/libdk/Control");
        if (control != nullptr) interrupted_ = env->GetStaticMethodID(control, "interrupted", "()Z");
        if (interrupted_ == nullptr) throw std::runtime_error("the class org.libdk.Control is not as it was");
        control_ = kept(env, machine_, control);
    }

    bool operator()(double, std::string_view) const {
        JNIEnv* env = nullptr;
        machine_->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6);
        const bool interrupted = env->CallStaticBooleanMethod(control_.get(), interrupted_) == JNI_TRUE;
        return !keep_thrown(env) && !interrupted;
    }

  private:
    JavaVM* machine_ = nullptr;
    std::shared_ptr<std::remove_pointer_t<jclass>> control_;
    jmethodID interrupted_ = nullptr;
};

/// A NativeCallback of Java, which the library asks on the thread that called it.
class Callback {
  public:
    Callback() = default;
    Callback(JNIEnv* env, jobject function) {
        env->GetJavaVM(&machine_);
        const jclass type = env->GetObjectClass(function);
        method_ = env->GetMethodID(type, "ask", "([D[J[J)[D");
        function_ = kept(env, machine_, function);
    }

    /// Throws where the function threw.
    void ask(std::span<double> out, std::span<const double> points, std::span<const std::int64_t> rows,
             std::span<const std::int64_t> training) const {
        JNIEnv* env = nullptr;
        machine_->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6);
        if (env->PushLocalFrame(8) != 0) stop(env);
        const auto count = static_cast<jsize>(points.size());
        const jdoubleArray values = env->NewDoubleArray(count);
        if (values == nullptr) stop(env);
        env->SetDoubleArrayRegion(values, 0, count, points.data());
        const jlongArray some = array(env, rows);
        const jlongArray others = array(env, training);
        const auto answer =
            static_cast<jdoubleArray>(env->CallObjectMethod(function_.get(), method_, values, some, others));
        if (env->ExceptionCheck() == JNI_TRUE) stop(env);
        env->GetDoubleArrayRegion(answer, 0, static_cast<jsize>(out.size()), out.data());
        if (env->ExceptionCheck() == JNI_TRUE) stop(env);
        env->PopLocalFrame(nullptr);
    }

  private:
    static jlongArray array(JNIEnv* env, std::span<const std::int64_t> values) {
        const auto count = static_cast<jsize>(values.size());
        const jlongArray out = env->NewLongArray(count);
        if (out == nullptr) stop(env);
        env->SetLongArrayRegion(out, 0, count, reinterpret_cast<const jlong*>(values.data()));
        return out;
    }
    [[noreturn]] static void stop(JNIEnv* env) {
        keep_thrown(env);
        env->PopLocalFrame(nullptr);
        throw std::runtime_error("a callback of Java failed");
    }

    JavaVM* machine_ = nullptr;
    jmethodID method_ = nullptr;
    std::shared_ptr<_jobject> function_;
};

}  // namespace dk_java

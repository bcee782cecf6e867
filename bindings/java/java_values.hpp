// SPDX-License-Identifier: Apache-2.0
//
// JSON, which the library gives as text, as the values of Java: maps, lists, texts, numbers and truth values.
#pragma once

#include <jni.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "java_support.hpp"

namespace dk_java {

/// A document on its way to Java. Its objects keep the order of their names.
struct Json {
    nlohmann::ordered_json value;
};

/// Ends the making of values; the exception of Java that is the reason waits in the machine.
struct ExceptionWaits {};

/// Makes Java's values. Every local reference but that of the result is gone when it is made, so that a list
/// may be longer than the machine has room for references.
class ValueMaker {
  public:
    /// Throws ExceptionWaits, as all members do.
    explicit ValueMaker(JNIEnv* env)
        : env_(env),
          map_(type("java/util/LinkedHashMap")),
          list_(type("java/util/ArrayList")),
          long_(type("java/lang/Long")),
          double_(type("java/lang/Double")),
          boolean_(type("java/lang/Boolean")),
          text_(type("org/libdk/NativeText")),
          make_map_(method(map_, "<init>", "()V")),
          put_(method(map_, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")),
          make_list_(method(list_, "<init>", "(I)V")),
          add_(method(list_, "add", "(Ljava/lang/Object;)Z")),
          long_of_(static_method(long_, "valueOf", "(J)Ljava/lang/Long;")),
          double_of_(static_method(double_, "valueOf", "(D)Ljava/lang/Double;")),
          boolean_of_(static_method(boolean_, "valueOf", "(Z)Ljava/lang/Boolean;")),
          text_of_(static_method(text_, "text", "([B)Ljava/lang/String;")) {}

    jobject value(const nlohmann::ordered_json& json) const {
        if (json.is_object()) return map(json);
        if (json.is_array()) return list(json);
        if (json.is_string()) return text(json.get_ref<const std::string&>());
        if (json.is_boolean())
            return checked(env_->CallStaticObjectMethod(boolean_, boolean_of_, jboolean(json.get<bool>())));
        if (json.is_number_integer())
            return checked(env_->CallStaticObjectMethod(long_, long_of_, jlong(json.get<std::int64_t>())));
        if (json.is_number())
            return checked(env_->CallStaticObjectMethod(double_, double_of_, json.get<double>()));
        return nullptr;
    }

  private:
    jobject map(const nlohmann::ordered_json& json) const {
        const jobject made = checked(env_->NewObject(map_, make_map_));
        for (const auto& [name, part] : json.items()) {
            const jobject key = text(name);
            const jobject content = value(part);
            env_->DeleteLocalRef(checked(env_->CallObjectMethod(made, put_, key, content)));
            env_->DeleteLocalRef(content);
            env_->DeleteLocalRef(key);
        }
        return made;
    }

    jobject list(const nlohmann::ordered_json& json) const {
        const jobject made = checked(env_->NewObject(list_, make_list_, static_cast<jint>(json.size())));
        for (const auto& part : json) {
            const jobject content = value(part);
            checked(env_->CallBooleanMethod(made, add_, content));
            env_->DeleteLocalRef(content);
        }
        return made;
    }

    jobject text(const std::string& text) const {
        const jbyteArray bytes = checked(bytes_of(env_, text));
        const jobject made = checked(env_->CallStaticObjectMethod(text_, text_of_, bytes));
        env_->DeleteLocalRef(bytes);
        return made;
    }

    jclass type(const char* name) const { return checked(env_->FindClass(name)); }
    jmethodID method(jclass type, const char* name, const char* signature) const {
        return checked(env_->GetMethodID(type, name, signature));
    }
    jmethodID static_method(jclass type, const char* name, const char* signature) const {
        return checked(env_->GetStaticMethodID(type, name, signature));
    }

    template <typename Result>
    Result checked(Result result) const {
        if (env_->ExceptionCheck() == JNI_TRUE) throw ExceptionWaits();
        return result;
    }

    JNIEnv* env_;
    jclass map_, list_, long_, double_, boolean_, text_;
    jmethodID make_map_, put_, make_list_, add_, long_of_, double_of_, boolean_of_, text_of_;
};

/// The document as Java's values; null where an exception of Java waits.
inline jobject value_of(JNIEnv* env, const Json& json) {
    try {
        return ValueMaker(env).value(json.value);
    } catch (const ExceptionWaits&) {
        return nullptr;
    }
}

}  // namespace dk_java

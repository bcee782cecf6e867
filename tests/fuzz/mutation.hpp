// SPDX-License-Identifier: Apache-2.0
// This header takes a model file apart into its description and its blocks, changes single values in them as
// somebody does who knows the format, and seals the file again.
#ifndef DK_TESTS_FUZZ_MUTATION_HPP
#define DK_TESTS_FUZZ_MUTATION_HPP

#include <zlib.h>

#include <nlohmann/json.hpp>

#include "questions.hpp"

namespace dk_fuzz {

/// Puts the header and the checksum of a whole model file before a payload.
inline Bytes sealed(std::span<const uint8_t> payload) {
    constexpr std::size_t checksum_at = 24;
    Bytes file{'D', 'K', 'M', 'O', 'D', 'E', 'L', 0};
    const auto put = [&file](uint64_t value, int count) {
        for (int byte = 0; byte < count; ++byte) file.push_back(static_cast<uint8_t>(value >> (8 * byte)));
    };
    put(3, 4);
    put(0, 4);
    put(payload.size(), 8);
    uLong crc = crc32_z(0, file.data(), checksum_at);
    crc = crc32_z(crc, payload.data(), payload.size());
    put(crc, 4);
    file.insert(file.end(), payload.begin(), payload.end());
    return file;
}

/// A model file whose values can be changed one by one. A block is a node {"type", "data"}, where "data" is
/// the number of the block here, and its size in a file.
class Anatomy {
  public:
    using Json = nlohmann::json;

    explicit Anatomy(const Bytes& file) {
        constexpr std::size_t payload_at = 28;
        uint64_t length = 0;
        for (std::size_t byte = 0; byte < 8; ++byte)
            length |= uint64_t{file[payload_at + byte]} << (8 * byte);
        const auto* description = file.data() + payload_at + 8;
        root_ = Json::from_cbor(description, description + length);
        const uint8_t* next = description + length;
        each_block(root_, [&](Json& node) {
            const auto size = node["data"].get<std::size_t>();
            node["data"] = blocks_.size();
            blocks_.emplace_back(next, next + size);
            next += size;
        });
    }

    /// Changes one value: which, and how, the choices say. `other` lends values of another model.
    void mutate(Choices& choices, const Anatomy& other) {
        if (choices.below(2) == 0 && !blocks_.empty()) {
            mutate_block(choices);
        } else {
            mutate_description(choices, other);
        }
    }

    Bytes file() const {
        Json root = root_;
        Bytes blocks;
        each_block(root, [&](Json& node) {
            const auto number = node["data"].get<std::size_t>();
            if (number >= blocks_.size()) return;  // A mutation has changed it.
            const Bytes& block = blocks_[number];
            node["data"] = block.size();
            blocks.insert(blocks.end(), block.begin(), block.end());
        });
        const Bytes description = Json::to_cbor(root);
        Bytes payload;
        for (int byte = 0; byte < 8; ++byte)
            payload.push_back(static_cast<uint8_t>(uint64_t{description.size()} >> (8 * byte)));
        payload.insert(payload.end(), description.begin(), description.end());
        payload.insert(payload.end(), blocks.begin(), blocks.end());
        return sealed(payload);
    }

  private:
    static bool is_block(const Json& node) {
        return node.is_object() && node.size() == 2 && node.contains("type") && node.contains("data") &&
               node["data"].is_number_unsigned();
    }

    template <typename Function>
    static void each_block(Json& node, const Function& function) {
        if (is_block(node)) return function(node);
        if (!node.is_structured()) return;
        for (Json& child : node) each_block(child, function);
    }

    /// Lists the places of all nodes, the root's among them.
    static void list(const Json& node, const Json::json_pointer& place,
                     std::vector<Json::json_pointer>& places) {
        places.push_back(place);
        if (node.is_object()) {
            for (const auto& [key, child] : node.items()) list(child, place / key, places);
        } else if (node.is_array()) {
            for (std::size_t i = 0; i < node.size(); ++i) list(node[i], place / i, places);
        }
    }

    void mutate_description(Choices& choices, const Anatomy& other) {
        std::vector<Json::json_pointer> places;
        list(root_, Json::json_pointer(), places);
        const auto place = places[choices.position(places.size())];
        Json& node = root_[place];
        switch (choices.below(8)) {
            case 0:
                erase(place);
                return;
            case 1:
                // A number of a block of the other model means another block here, or none.
                if (other.root_.contains(place)) node = other.root_[place];
                return;
            case 2:
                if (node.is_array() && !node.empty()) node.push_back(node[0]);
                return;
            case 3:
                if (node.is_array() && !node.empty()) node.erase(node.size() - 1);
                return;
            default:
                change_value(choices, node);
                return;
        }
    }

    void erase(const Json::json_pointer& place) {
        if (place.empty()) return;
        Json& parent = root_[place.parent_pointer()];
        if (parent.is_object()) {
            parent.erase(place.back());
        } else {
            parent.erase(std::stoul(place.back()));
        }
    }

    void change_value(Choices& choices, Json& node) {
        static constexpr int64_t integers[] = {0,
                                               1,
                                               2,
                                               3,
                                               7,
                                               8,
                                               9,
                                               16,
                                               1000,
                                               65536,
                                               int64_t{1} << 31,
                                               int64_t{1} << 39,
                                               int64_t{1} << 62,
                                               -1,
                                               -2,
                                               INT64_MIN};
        static constexpr const char* texts[] = {"",
                                                "0",
                                                "1",
                                                "-1",
                                                "0.5",
                                                "1e308",
                                                "yes",
                                                "no",
                                                "auto",
                                                "none",
                                                "linear",
                                                "rbf",
                                                "rbf(gamma=1e300)",
                                                "gram(0)",
                                                "spectrum",
                                                "gak",
                                                "center(center(center(rbf(gamma=1))))",
                                                "[linear,linear]",
                                                "lowrank(rbf,rank=2)",
                                                "classification",
                                                "regression",
                                                "novelty",
                                                "dense",
                                                "sparse",
                                                "series",
                                                "strings",
                                                "gram",
                                                "ovo",
                                                "ovr",
                                                "binary",
                                                "largest",
                                                "hinge",
                                                "logistic",
                                                "single",
                                                "double",
                                                "quality",
                                                "{}",
                                                "{\"a\":[1,{\"b\":null}]}",
                                                "\xff\xfe",
                                                "99999999999999999999"};
        if (node.is_number()) {
            node = choices.of(integers);
        } else if (node.is_string()) {
            const uint8_t choice = choices.byte();
            if (choice < 160) {
                node = choices.of(texts);
            } else if (choice < 192) {
                node = std::string(hostile_text);
            } else if (choice < 224) {
                node = choices.of(machines);
            } else {
                const auto& known = text_somewhere(choices);
                node = std::string(known);
            }
        } else if (!is_block(node)) {
            node = choices.below(2) == 0 ? Json::array() : Json::object();
        } else {
            node["type"] = node["type"] == "f64" ? "i64" : "f64";
        }
    }

    /// Gives a text of the model itself.
    std::string text_somewhere(Choices& choices) const {
        std::vector<Json::json_pointer> places;
        list(root_, Json::json_pointer(), places);
        const Json& node = root_[places[choices.position(places.size())]];
        return node.is_string() ? node.get<std::string>() : std::string("x");
    }

    void mutate_block(Choices& choices) {
        Bytes& block = blocks_[choices.position(blocks_.size())];
        const std::size_t values = block.size() / 8;
        const uint8_t way = choices.byte() % 8;
        if (way == 0 || values == 0) {
            block.resize(choices.below(2) == 0 ? block.size() + 8 : values / 2 * 8);
            return;
        }
        const auto put = [&block](std::size_t at, uint64_t bits) {
            for (std::size_t byte = 0; byte < 8; ++byte)
                block[8 * at + byte] = static_cast<uint8_t>(bits >> (8 * byte));
        };
        const std::size_t first = way < 6 ? choices.position(values) : 0;
        const std::size_t last = way < 6 ? first + 1 : values;
        const uint64_t bits = choices.below(3) == 0 ? static_cast<uint64_t>(choices.below(256) - 2)
                                                    : std::bit_cast<uint64_t>(choices.number());
        for (std::size_t at = first; at < last; ++at) put(at, bits);
    }

    Json root_;
    std::vector<Bytes> blocks_;
};

}  // namespace dk_fuzz

#endif  // DK_TESTS_FUZZ_MUTATION_HPP

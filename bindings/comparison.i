// SPDX-License-Identifier: Apache-2.0
//
// Models that a page compares. It stands behind model.hpp, because SWIG for Go knows a class by its new name only then.

%inline %{
namespace libdk {

/// A list of models that languages fill one by one.
class ModelList {
  public:
    void add(const Model& model) { models_.push_back(model); }
    void compare(const std::string& path, const Data& data, const std::string& options,
                 const Control& control) const {
        compare_models(path, models_, data, options, control);
    }

  private:
    std::vector<Model> models_;
};

}  // namespace libdk
%}

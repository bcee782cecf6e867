// SPDX-License-Identifier: Apache-2.0
//
// What languages call beside dk.hpp: lists of texts, listeners, dense rows by their parts, and memory that is asked for
// before a language takes it.

// a list of texts that languages fill one by one
namespace std {
template <typename Element>
class vector {
  public:
    vector();
    %extend {
        void add(const Element& element) { $self->push_back(element); }
    }
};
}  // namespace std
%template(Strings) std::vector<std::string>;

%inline %{
namespace libdk {

/// Hears of progress on the thread that called libdk; a class of the language derives from it.
class Progress {
  public:
    Progress() = default;
    virtual ~Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// False asks the call to stop.
    virtual bool report(double fraction, const std::string& stage) = 0;
};

/// The name of a status, such as "DK_ERR_CANCELLED".
inline std::string status_name(int status) {
    return name_of(static_cast<Status>(status));
}

/// Fails where the system would not give memory for `rows` x `columns` numbers of 8 bytes. Languages that end the
/// process when memory lacks ask it before they make room for what a model file says.
inline void require_memory(std::int64_t rows, std::int64_t columns) {
    if (rows == 0 || columns == 0) return;
    const bool countable = rows > 0 && columns > 0 && rows <= std::numeric_limits<std::int64_t>::max() / 8 / columns;
    const std::int64_t bytes = countable ? 8 * rows * columns : 0;
    void* block = countable ? ::operator new(static_cast<std::size_t>(bytes), std::nothrow) : nullptr;
    if (block == nullptr)
        throw Error(Status::out_of_memory,
                    "out of memory: " + std::to_string(rows) + " x " + std::to_string(columns) + " numbers" +
                        (countable ? " take " + std::to_string(bytes) + " bytes" : " are too many"));
    // a block that nobody touches is one that a compiler may leave out
    *static_cast<volatile char*>(block) = 0;
    ::operator delete(block);
}

}  // namespace libdk
%}

%extend libdk::Control {
    /// Makes a control that has settings, each at its default.
    static libdk::Control make() { return libdk::Control(libdk::ControlOptions{}); }
    /// The listener must live as long as calls use this control; null stands for none.
    void set_listener(libdk::Progress* listener) {
        if (listener == nullptr) return $self->set_progress(nullptr);
        $self->set_progress([listener](double fraction, std::string_view stage) {
            return listener->report(fraction, std::string(stage));
        });
    }
}

%extend libdk::Data {
    /// `ld`: from one row to the next, or from one column to the next where `layout` is 1.
    static libdk::Data dense(std::span<const double> x, std::int64_t rows, std::int64_t cols, std::int64_t ld,
                             int layout, bool missing) {
        const libdk::MatrixView<double> view(x, rows, cols, ld, layout);
        return missing ? libdk::Data::dense_with_missing(view) : libdk::Data::dense(view);
    }
    static libdk::Data dense_single(std::span<const float> x, std::int64_t rows, std::int64_t cols, std::int64_t ld,
                                    int layout) {
        return libdk::Data::dense(libdk::MatrixView<float>(x, rows, cols, ld, layout));
    }
    /// Similarities by a callback of dk.h, which languages that can make one give as numbers: its address, and what
    /// it is told.
    static libdk::Data similarity_by(std::int64_t rows, std::int64_t training_rows, std::int64_t callback,
                                     std::int64_t user, std::span<const double> self) {
        dk_data* made = nullptr;
        libdk::detail::check(dk_data_from_similarity(
            &made, rows, training_rows, reinterpret_cast<dk_similarity_callback>(callback),
            reinterpret_cast<void*>(user), self.empty() ? nullptr : self.data(), 0));
        return libdk::Data(made);
    }
    static libdk::Data point_similarity_by(std::span<const double> x, std::int64_t rows, std::int64_t cols,
                                           std::int64_t callback, std::int64_t user) {
        const libdk::MatrixView<double> view(x, rows, cols);
        dk_data* made = nullptr;
        libdk::detail::check(dk_data_from_point_similarity(
            &made, view.values, rows, cols, cols, DK_ROW_MAJOR,
            reinterpret_cast<dk_point_similarity_callback>(callback), reinterpret_cast<void*>(user), 0));
        return libdk::Data(made);
    }
    /// Tables of Arrow by the addresses of their structs, as languages exchange them.
    static libdk::Data from_arrow(std::int64_t schema, std::int64_t array, const std::string& options,
                                  const libdk::Control& control) {
        return libdk::Data::arrow(reinterpret_cast<ArrowSchema*>(schema), reinterpret_cast<ArrowArray*>(array), options,
                                  control);
    }
    static libdk::Data from_arrow_stream(std::int64_t stream, const std::string& options,
                                         const libdk::Control& control) {
        return libdk::Data::arrow(reinterpret_cast<ArrowArrayStream*>(stream), options, control);
    }
    /// The number of a kind in dk.h.
    int kind_number() const { return static_cast<int>($self->kind()); }
}

%extend libdk::Parameters {
    /// The number of a task in dk.h.
    int task_number() const { return static_cast<int>($self->task()); }
}

%extend libdk::Model {
    /// Tables of Arrow by the addresses of their structs.
    libdk::Data rows_from_arrow(std::int64_t schema, std::int64_t array, const std::string& options,
                                const libdk::Control& control) const {
        return $self->arrow_rows(reinterpret_cast<ArrowSchema*>(schema), reinterpret_cast<ArrowArray*>(array), options,
                                 control);
    }
    libdk::Data rows_from_arrow_stream(std::int64_t stream, const std::string& options,
                                       const libdk::Control& control) const {
        return $self->arrow_rows(reinterpret_cast<ArrowArrayStream*>(stream), options, control);
    }
    void results_to_arrow(std::int64_t schema, std::int64_t array, const libdk::Data& data, const std::string& what,
                          const libdk::Control& control) const {
        $self->predict_arrow(reinterpret_cast<ArrowSchema*>(schema), reinterpret_cast<ArrowArray*>(array), data, what,
                             control);
    }
    /// The number of a task in dk.h.
    int task_number() const { return static_cast<int>($self->task()); }
}

// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"libdk/internal/swig"
)

// Params are the parameters of a machine by name: strings, numbers and booleans. Unknown ones fail with the nearest
// name, values out of range with what is allowed; Describe lists all.
type Params map[string]any

// Model is what a machine learned. It is immutable and safe for concurrent use.
type Model struct {
	handle handle[swig.NativeModel]
}

func newModel(native swig.NativeModel) *Model {
	model := &Model{handle[swig.NativeModel]{object: native, free: swig.DeleteNativeModel}}
	runtime.SetFinalizer(model, func(m *Model) { m.handle.close() })
	return model
}

// Train trains a machine such as "svm", "cvm", "fisher" or "svr", or "auto", for which "" stands too: it chooses scale,
// kernel and parameters for the rows. The context ends it within 0.2 s.
func Train(ctx context.Context, data *Data, machine string, params Params, options ...Option) (*Model, error) {
	return learn(ctx, data, machine, params, options, swig.NativeModelTrain)
}

// CrossValidate cross-validates, over a grid where the parameter grid has one, and trains the best on all rows; the
// scores are those of Model.Scores.
func CrossValidate(ctx context.Context, data *Data, machine string, params Params, options ...Option) (*Model, error) {
	return learn(ctx, data, machine, params, options, swig.NativeModelCross_validate)
}

// CompareWeights compares all ways to weigh the kernels of a bank, and every kernel alone, by cross-validation, and trains
// the best on all rows; the scores are those of Model.Scores.
func CompareWeights(ctx context.Context, data *Data, machine string, params Params, options ...Option) (*Model, error) {
	return learn(ctx, data, machine, params, options, swig.NativeModelCompare_weights)
}

// Compress gives a model of few prototypes that are free vectors, which decides as this one does on the rows of data and
// near them (Demontis, Melis, Biggio, Fumera, Roli, 2016). The parameters are those of machine "super_sparse", such as
// "prototypes"; how well both agree is in Info under "compressed".
func (m *Model) Compress(ctx context.Context, data *Data, params Params, options ...Option) (compressed *Model, err error) {
	err = m.use(func(native swig.NativeModel) error {
		compressed, err = learn(ctx, data, "super_sparse", params, options,
			func(rows swig.NativeData, p swig.NativeParams, control swig.NativeControl) swig.NativeModel {
				return native.Compress(rows, p, control)
			})
		return err
	})
	return compressed, err
}

// Calibrate gives the same model with sets of answers (PredictSet) that are calibrated on these rows, of which training must
// have seen none, for all rows or for those of each class (Vovk, Gammerman, Shafer, 2005).
func (m *Model) Calibrate(ctx context.Context, data *Data, byClass bool, options ...Option) (*Model, error) {
	return m.made(ctx, data, options, func(native swig.NativeModel, rows swig.NativeData, control swig.NativeControl) swig.NativeModel {
		return native.Calibrate(rows, byClass, control)
	})
}

// made gives the model that is made of this one and rows.
func (m *Model) made(ctx context.Context, data *Data, options []Option,
	with func(swig.NativeModel, swig.NativeData, swig.NativeControl) swig.NativeModel) (*Model, error) {
	var made swig.NativeModel
	err := m.use(func(native swig.NativeModel) error {
		return data.use(func(rows swig.NativeData) error {
			return calling(ctx, options, func(control swig.NativeControl) { made = with(native, rows, control) })
		})
	})
	if err != nil {
		return nil, err
	}
	return newModel(made), nil
}

func learn(ctx context.Context, data *Data, machine string, params Params, options []Option,
	train func(swig.NativeData, swig.NativeParams, swig.NativeControl) swig.NativeModel) (*Model, error) {
	if machine == "" {
		machine = "auto"
	}
	var native swig.NativeParams
	if err := call(func() { native = swig.NewNativeParams(machine, "") }); err != nil {
		return nil, err
	}
	defer swig.DeleteNativeParams(native)
	for key, value := range params {
		if err := call(func() { native.Set(key, textOf(value)) }); err != nil {
			return nil, err
		}
	}
	var model swig.NativeModel
	err := data.use(func(rows swig.NativeData) error {
		return calling(ctx, options, func(control swig.NativeControl) { model = train(rows, native, control) })
	})
	if err != nil {
		return nil, err
	}
	return newModel(model), nil
}

func textOf(value any) string {
	switch v := value.(type) {
	case []string: // a bank of kernels, or values of a grid
		return "[" + strings.Join(v, ", ") + "]"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	default:
		return fmt.Sprint(v)
	}
}

func readModel(ctx context.Context, options []Option, read func(swig.NativeControl) swig.NativeModel) (*Model, error) {
	var native swig.NativeModel
	if err := calling(ctx, options, func(control swig.NativeControl) { native = read(control) }); err != nil {
		return nil, err
	}
	return newModel(native), nil
}

// LoadModel reads a model file of any language.
func LoadModel(path string) (*Model, error) {
	return LoadModelContext(context.Background(), path)
}

// LoadModelContext is LoadModel that the context ends within 0.2 s.
func LoadModelContext(ctx context.Context, path string, options ...Option) (*Model, error) {
	model, err := readModel(ctx, options, func(control swig.NativeControl) swig.NativeModel {
		return swig.NativeModelLoad(path, control)
	})
	return model, causedByReading(path, err)
}

// ImportModel reads a model file of LIBSVM, liblinear or ThunderSVM, with the same decision values. The format is auto,
// libsvm, liblinear or thundersvm, after which may follow features=N and data=dense or data=sparse. Classes ascend.
func ImportModel(path, format string) (*Model, error) {
	return ImportModelContext(context.Background(), path, format)
}

// ImportModelContext is ImportModel that the context ends within 0.2 s.
func ImportModelContext(ctx context.Context, path, format string, options ...Option) (*Model, error) {
	model, err := readModel(ctx, options, func(control swig.NativeControl) swig.NativeModel {
		return swig.NativeModelImport_from(path, format, control)
	})
	return model, causedByReading(path, err)
}

// UnmarshalModel reads what MarshalBinary gave.
func UnmarshalModel(bytes []byte) (*Model, error) {
	return UnmarshalModelContext(context.Background(), bytes)
}

// UnmarshalModelContext is UnmarshalModel that the context ends within 0.2 s.
func UnmarshalModelContext(ctx context.Context, bytes []byte, options ...Option) (*Model, error) {
	return readModel(ctx, options, func(control swig.NativeControl) swig.NativeModel {
		return swig.NativeModelRead(bytes, control)
	})
}

func (m *Model) use(action func(swig.NativeModel) error) error {
	if m == nil {
		return invalid("model is nil; it must be made by Train, LoadModel or their kin")
	}
	return m.handle.use(action)
}

func (m *Model) call(action func(swig.NativeModel)) error {
	return m.use(func(native swig.NativeModel) error { return call(func() { action(native) }) })
}

// Save writes the model; a crash leaves the old file.
func (m *Model) Save(path string) error {
	return causedByWriting(path, m.call(func(native swig.NativeModel) { native.Save(path) }))
}

// Export writes the model for other programs: libsvm is a model file of LIBSVM, onnx a graph of ONNX, and c C99 without allocation.
func (m *Model) Export(path, format string) error {
	return causedByWriting(path, m.call(func(native swig.NativeModel) { native.Export_to(path, format) }))
}

// MarshalBinary is the content of a model file: the same bytes in every language and on every machine.
func (m *Model) MarshalBinary() (bytes []byte, err error) {
	err = m.use(func(native swig.NativeModel) error {
		if err := call(func() { bytes = make([]byte, native.File_size()) }); err != nil {
			return err
		}
		return call(func() { native.Write(bytes) })
	})
	return bytes, err
}

// filled is rows x columns values that a native call writes.
func (m *Model) filled(ctx context.Context, data *Data, options []Option, columns func(swig.NativeModel) int64,
	fill func(swig.NativeModel, []float64, swig.NativeData, swig.NativeControl)) (values []float64, width int, err error) {
	err = m.use(func(model swig.NativeModel) error {
		return data.use(func(rows swig.NativeData) error {
			width = int(columns(model))
			if err := require(rows.Rows(), int64(width)); err != nil {
				return err
			}
			values = make([]float64, int(rows.Rows())*width)
			return calling(ctx, options, func(control swig.NativeControl) { fill(model, values, rows, control) })
		})
	})
	if err != nil {
		return nil, 0, err
	}
	return values, width, nil
}

func table(values []float64, width int, err error) (Rows, error) {
	if err != nil || width == 0 {
		return nil, err
	}
	rows := make(Rows, len(values)/width)
	for i := range rows {
		rows[i] = values[i*width : (i+1)*width : (i+1)*width]
	}
	return rows, nil
}

// Predict gives for each row its class label (its position in ClassNames where classes have names), or its value; of
// several targets those of each row, one row after the other, and of several labels 1 for each that the row is predicted to
// have and 0 for the others.
func (m *Model) Predict(ctx context.Context, data *Data, options ...Option) ([]float64, error) {
	values, _, err := m.filled(ctx, data, options, swig.NativeModel.Target_count, swig.NativeModel.Predict)
	return values, err
}

// RowAnswers is what a model says of rows by one pass over its kernel.
type RowAnswers struct {
	Predictions   []float64 // as Predict gives them
	Decisions     Rows      // rows x decision functions
	Probabilities Rows      // rows x classes; nil where the model was trained without probability=yes
}

// PredictRows gives predictions, decisions and probabilities of rows by one pass over the kernel and without a dataset: the short
// way for a service. The rows of cols features follow one another in x, NaN where the model fills missing values.
func (m *Model) PredictRows(ctx context.Context, x []float64, cols int, options ...Option) (*RowAnswers, error) {
	if cols < 1 || len(x)%cols != 0 {
		return nil, invalid(fmt.Sprintf("%d values are no rows of %d columns", len(x), cols))
	}
	rows := len(x) / cols
	var predictions, decisions, probabilities []float64
	var functions, classes int
	err := m.use(func(model swig.NativeModel) error {
		functions = int(model.Decision_count())
		if model.Has_probabilities() {
			classes = int(model.Class_count())
		}
		if err := require(int64(rows), model.Target_count()+int64(functions+classes)); err != nil {
			return err
		}
		predictions = make([]float64, rows*int(model.Target_count()))
		decisions, probabilities = make([]float64, rows*functions), make([]float64, rows*classes)
		return calling(ctx, options, func(control swig.NativeControl) {
			model.Predict_rows(predictions, decisions, probabilities, x, int64(cols), control)
		})
	})
	if err != nil {
		return nil, err
	}
	answers := &RowAnswers{Predictions: predictions}
	answers.Decisions, _ = table(decisions, functions, nil)
	answers.Probabilities, _ = table(probabilities, classes, nil)
	return answers, nil
}

// HasProbabilities tells whether the model was trained with probability=yes, or has probabilities without.
func (m *Model) HasProbabilities() (has bool, err error) {
	err = m.call(func(model swig.NativeModel) { has = model.Has_probabilities() })
	return has, err
}

// PredictLabelSets gives the names of the labels that each row is predicted to have, of a model of rows with several labels.
func (m *Model) PredictLabelSets(ctx context.Context, data *Data, options ...Option) ([][]string, error) {
	if task, err := m.Task(); err != nil || task != Multilabel {
		if err == nil {
			err = &Error{Status: Unsupported, Message: "the model predicts one class or value a row"}
		}
		return nil, err
	}
	names, err := m.ClassNames()
	if err != nil {
		return nil, err
	}
	has, err := m.Predict(ctx, data, options...)
	if err != nil {
		return nil, err
	}
	sets := make([][]string, len(has)/len(names))
	for e, value := range has {
		if value == 1 {
			sets[e/len(names)] = append(sets[e/len(names)], names[e%len(names)])
		}
	}
	return sets, nil
}

// PredictLabels gives the label of each row's class, also where labels are beyond 2^53, which no float64 tells apart:
// classes then have their digits as names. Names that are no integers are an error.
func (m *Model) PredictLabels(ctx context.Context, data *Data, options ...Option) ([]int64, error) {
	values, err := m.Predict(ctx, data, options...)
	if err != nil {
		return nil, err
	}
	classes, err := m.Classes()
	if err != nil {
		return nil, err
	}
	names, err := m.ClassNames()
	if err != nil {
		return nil, err
	}
	if task, err := m.Task(); err == nil && task == Multilabel {
		return nil, &Error{Status: Unsupported, Message: "the model predicts several labels a row; PredictLabelSets has them"}
	}
	if len(names) == 0 {
		return nil, &Error{Status: Unsupported, Message: "a regression predicts values, no labels"}
	}
	label := make(map[float64]int64, len(names))
	for c, name := range names {
		integer, err := strconv.ParseInt(name, 10, 64)
		if err != nil || strconv.FormatInt(integer, 10) != name {
			return nil, &Error{Status: Unsupported,
				Message: "the class '" + name + "' is no integer; ClassNames has the names of classes"}
		}
		label[float64(classes[c])] = integer
	}
	labels := make([]int64, len(values))
	for i, value := range values {
		labels[i] = label[value]
	}
	return labels, nil
}

// Decision gives decision values, rows x functions; two classes have one function, positive for the second class.
func (m *Model) Decision(ctx context.Context, data *Data, options ...Option) (Rows, error) {
	return table(m.filled(ctx, data, options, swig.NativeModel.Decision_count, swig.NativeModel.Decision))
}

// Probability gives rows x classes, of a model trained with probability=yes.
func (m *Model) Probability(ctx context.Context, data *Data, options ...Option) (Rows, error) {
	return table(m.filled(ctx, data, options, swig.NativeModel.Class_count, swig.NativeModel.Probability))
}

// PredictSet gives the answers that hold the truth with a probability, above 0 and below 1, or 0 for that of the training:
// of a regression an interval, rows x 2 (lower, upper); of a classifier rows x classes, 1 where the class is in the set and
// else 0. The model was trained with a confidence, or is of Calibrate.
func (m *Model) PredictSet(ctx context.Context, data *Data, confidence float64, options ...Option) (Rows, error) {
	return table(m.filled(ctx, data, options, swig.NativeModel.Prediction_set_width,
		func(model swig.NativeModel, out []float64, rows swig.NativeData, control swig.NativeControl) {
			model.Predict_set(out, rows, confidence, control)
		}))
}

// Novelty tells how new each row is, rows x 2: its distance in feature space from the nearest of some training rows, and how
// likely a row that comes as these did lies at least as far (Laxhammar, Falkman 2010), so that a service may refuse to
// predict. The model was trained with novelty=yes.
func (m *Model) Novelty(ctx context.Context, data *Data, options ...Option) (Rows, error) {
	return table(m.filled(ctx, data, options, func(swig.NativeModel) int64 { return 2 }, swig.NativeModel.Novelty))
}

// Deviation tells how uncertain the value of each row is: the posterior standard deviation of kernel ridge regression as a
// Gaussian process whose covariance is the kernel and whose noise has the variance 1 / C (Rasmussen, Williams 2006). The
// first call takes as long as training.
func (m *Model) Deviation(ctx context.Context, data *Data, options ...Option) ([]float64, error) {
	values, _, err := m.filled(ctx, data, options, func(swig.NativeModel) int64 { return 1 }, swig.NativeModel.Deviation)
	return values, err
}

// Explain gives what each prototype says of each row, rows x prototypes: with the element of Offsets, the two of a
// function add up to its decision (Graf et al. 2008).
func (m *Model) Explain(ctx context.Context, data *Data, options ...Option) (Rows, error) {
	return table(m.filled(ctx, data, options, swig.NativeModel.Prototype_count, swig.NativeModel.Explain))
}

// Transform gives what the model sees of each row, rows x features: the codes of imkpl and iskpl, the similarities of
// super-sparse models with their prototypes, the features of elm and of a kernel lowrank. Other models have none, which
// is an error.
func (m *Model) Transform(ctx context.Context, data *Data, options ...Option) (Rows, error) {
	return table(m.filled(ctx, data, options, swig.NativeModel.Transform_count, swig.NativeModel.Transform))
}

// Reconstruct gives each row as the components of a kernel_pca model keep it, rows x features, which takes noise from it:
// the point whose image is nearest to the projection of the row's image on their span (Mika et al. 1998).
func (m *Model) Reconstruct(ctx context.Context, data *Data, options ...Option) (Rows, error) {
	return table(m.filled(ctx, data, options, swig.NativeModel.Feature_count, swig.NativeModel.Reconstruct))
}

// Score is a measure of the predictions for labelled data: "accuracy", "auc", "rmse", ...
func (m *Model) Score(ctx context.Context, data *Data, metric string, options ...Option) (score float64, err error) {
	err = m.use(func(model swig.NativeModel) error {
		return data.use(func(rows swig.NativeData) error {
			return calling(ctx, options, func(control swig.NativeControl) { score = model.Score(rows, metric, control) })
		})
	})
	return score, err
}

// Info is the model as JSON: machine, kernel, parameters, classes, training report.
func (m *Model) Info() (info string, err error) {
	err = m.call(func(native swig.NativeModel) { info = native.Info() })
	return info, err
}

// ClassNames are the classes in the order of their labels; none of a regression.
func (m *Model) ClassNames() (names []string, err error) {
	err = m.call(func(native swig.NativeModel) {
		for c := int64(0); c < native.Class_count(); c++ {
			names = append(names, native.Class_name(c))
		}
	})
	return names, err
}

// Confusion counts the rows of class t, one a row of the result, that were predicted as class p.
func (m *Model) Confusion(ctx context.Context, data *Data, options ...Option) (counts [][]int64, err error) {
	err = m.use(func(model swig.NativeModel) error {
		return data.use(func(rows swig.NativeData) error {
			classes := int(model.Class_count())
			flat := make([]int64, classes*classes)
			err := calling(ctx, options, func(control swig.NativeControl) { model.Confusion(flat, rows, control) })
			for t := 0; err == nil && t < classes; t++ {
				counts = append(counts, flat[t*classes:(t+1)*classes])
			}
			return err
		})
	})
	return counts, err
}

// Classes are the labels of the classes, ascending; positions from 0 where classes have names; none of a regression.
func (m *Model) Classes() (classes []int64, err error) {
	err = m.use(func(native swig.NativeModel) error {
		classes = make([]int64, native.Class_count())
		return call(func() { native.Classes(classes) })
	})
	return classes, err
}

// A Task is what a machine learns.
type Task int

// The tasks of the C interface.
const (
	Classification Task = iota
	Regression
	Novelty
	Any        // what the data have; the machine "auto" has it, and no model
	Clustering // the clusters that rows alone form
	Multilabel // the labels of rows that may have several: of models of classifiers alone
)

// TaskOf is what a machine learns, such as "svm".
func TaskOf(machine string) (task Task, err error) {
	var params swig.NativeParams
	if err := call(func() { params = swig.NewNativeParams(machine, "") }); err != nil {
		return 0, err
	}
	defer swig.DeleteNativeParams(params)
	return Task(params.Task_number()), nil
}

// Task is what the model learned.
func (m *Model) Task() (task Task, err error) {
	err = m.call(func(native swig.NativeModel) { task = Task(native.Task_number()) })
	return task, err
}

// FillsMissing tells whether the model fills values that rows miss, so that its data may be those of NewDataWithMissing.
func (m *Model) FillsMissing() (fills bool, err error) {
	err = m.call(func(native swig.NativeModel) { fills = native.Fills_missing() })
	return fills, err
}

// Counts are the sizes of a model.
type Counts struct {
	Classes      int64 // 0 for a regression
	Features     int64 // columns of the rows to predict
	Decisions    int64 // decision functions
	Targets      int64 // numbers that are predicted for a row
	Kernels      int64 // of the bank
	Prototypes   int64
	TrainingRows int64
	Transformed  int64 // columns of Transform; 0 for models that have no features
}

// Counts are the sizes of the model.
func (m *Model) Counts() (counts Counts, err error) {
	err = m.call(func(native swig.NativeModel) {
		counts = Counts{native.Class_count(), native.Feature_count(), native.Decision_count(), native.Target_count(),
			native.Kernel_count(), native.Prototype_count(), native.Training_rows(), native.Transform_count()}
	})
	return counts, err
}

// Close frees the native model when no call uses it any more.
func (m *Model) Close() error {
	if m == nil {
		return nil
	}
	runtime.SetFinalizer(m, nil)
	return m.handle.close()
}

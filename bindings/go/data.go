// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"fmt"
	"runtime"
	"runtime/cgo"
	"sort"

	"libdk/internal/swig"
)

// Matrix is what data are made from; matrices of gonum are such.
type Matrix interface {
	Dims() (rows, cols int)
	At(row, col int) float64
}

// Rows is a Matrix of slices of one length.
type Rows [][]float64

// Dims are the number of rows and the length of the first.
func (r Rows) Dims() (rows, cols int) {
	if len(r) == 0 {
		return 0, 0
	}
	return len(r), len(r[0])
}

// At is an element.
func (r Rows) At(row, col int) float64 { return r[row][col] }

// Data are rows of features, or of other objects that kernels compare, copied into the library.
type Data struct {
	handle   handle[swig.NativeData]
	callback *callback // which C asks as long as the data live
}

// callback is a function that C knows by its handle until nobody here knows it any more.
type callback struct{ handle cgo.Handle }

func newCallback(function swig.Callback) *callback {
	kept := &callback{cgo.NewHandle(function)}
	runtime.SetFinalizer(kept, func(c *callback) { c.handle.Delete() })
	return kept
}

func newData(create func() swig.NativeData) (*Data, error) {
	var native swig.NativeData
	if err := call(func() { native = create() }); err != nil {
		return nil, err
	}
	return wrapData(native), nil
}

func wrapData(native swig.NativeData) *Data {
	data := &Data{handle: handle[swig.NativeData]{object: native, free: swig.DeleteNativeData}}
	runtime.SetFinalizer(data, func(d *Data) { d.handle.close() })
	return data
}

// flattened is a matrix row by row.
func flattened(x Matrix) (flat []float64, rows, cols int, err error) {
	if x == nil {
		return nil, 0, 0, invalid("the matrix is nil")
	}
	rows, cols = x.Dims()
	if slices, ok := x.(Rows); ok {
		for i, row := range slices {
			if len(row) != cols {
				return nil, 0, 0, invalid("row %d has %d values, row 0 has %d", i, len(row), cols)
			}
		}
	}
	flat = make([]float64, 0, rows*cols)
	for i := 0; i < rows; i++ {
		for j := 0; j < cols; j++ {
			flat = append(flat, x.At(i, j))
		}
	}
	return flat, rows, cols, nil
}

// NewData copies a matrix; every value must be finite.
func NewData(x Matrix) (*Data, error) {
	flat, rows, cols, err := flattened(x)
	if err != nil {
		return nil, err
	}
	return NewDataFromSlice(flat, rows, cols)
}

// NewDataFromSlice takes rows x cols values, one row after the other.
func NewDataFromSlice(x []float64, rows, cols int) (*Data, error) {
	return newData(func() swig.NativeData {
		return swig.NativeDataDense(x, int64(rows), int64(cols), int64(cols), 0, false)
	})
}

// NewDataWithMissing is NewDataFromSlice where NaN stands for a missing value; training then needs impute=.
func NewDataWithMissing(x []float64, rows, cols int) (*Data, error) {
	return newData(func() swig.NativeData {
		return swig.NativeDataDense(x, int64(rows), int64(cols), int64(cols), 0, true)
	})
}

// NewDataFromFloat32 is NewDataFromSlice in single precision.
func NewDataFromFloat32(x []float32, rows, cols int) (*Data, error) {
	return newData(func() swig.NativeData {
		return swig.NativeDataDense_single(x, int64(rows), int64(cols), int64(cols), 0)
	})
}

// NewSparse takes compressed sparse rows: rows + 1 offsets, and the column and value of each entry.
func NewSparse(rowOffsets, columns []int64, values []float64, cols int) (*Data, error) {
	return newData(func() swig.NativeData { return swig.NativeDataSparse(rowOffsets, columns, values, int64(cols)) })
}

// NewSimilarities takes a matrix of similarities of rows to training rows, row by row; kernel gram(0) reads it.
func NewSimilarities(x []float64, rows, trainingRows int) (*Data, error) {
	return newData(func() swig.NativeData {
		return swig.NativeDataGram(x, 1, int64(rows), int64(trainingRows), nil, 0)
	})
}

// NewSimilarityBank takes a matrix of similarities for each kernel gram(0), gram(1), ..., each row by row. self has the
// similarity of each row to itself for each matrix, or is nil. Rows to predict need these where a kernel (normalize, which most
// weights of banks use) or an explanation asks for them; of training rows they are the diagonals.
func NewSimilarityBank(matrices [][]float64, rows, trainingRows int, self [][]float64) (*Data, error) {
	for _, one := range matrices {
		if len(one) != rows*trainingRows {
			return nil, invalid("a matrix has %d values, %d x %d were said", len(one), rows, trainingRows)
		}
	}
	for _, one := range self {
		if len(one) != rows || len(self) != len(matrices) {
			return nil, invalid("self needs %d values for each of %d matrices", rows, len(matrices))
		}
	}
	return newData(func() swig.NativeData {
		return swig.NativeDataGram(joined(matrices), int64(len(matrices)), int64(rows), int64(trainingRows), joined(self), 0)
	})
}

// joined puts slices one after the other.
func joined(slices [][]float64) []float64 {
	var all []float64
	for _, one := range slices {
		all = append(all, one...)
	}
	return all
}

// A Graph is undirected: labels of its nodes, and edges as positions of two nodes from 0.
type Graph struct {
	Nodes []int64
	Edges [][2]int64
}

// NewGraphs takes undirected graphs with labelled nodes.
func NewGraphs(graphs []Graph) (*Data, error) {
	nodeCounts, edgeCounts := make([]int64, len(graphs)), make([]int64, len(graphs))
	var nodes, edges []int64
	for i, graph := range graphs {
		nodeCounts[i], edgeCounts[i] = int64(len(graph.Nodes)), int64(len(graph.Edges))
		nodes = append(nodes, graph.Nodes...)
		for _, edge := range graph.Edges {
			edges = append(edges, edge[0], edge[1])
		}
	}
	return newData(func() swig.NativeData { return swig.NativeDataGraphs(nodeCounts, nodes, edgeCounts, edges) })
}

// NewSimilarity takes similarities that are asked for when they are needed: function writes those of some rows with some
// training rows, row by row. Kernel gram(0) reads them. The function is called on the thread that calls the library, and
// its error is that of the call; its slices are the library's, and gone when it returns. self has each row's similarity to
// itself, and may be nil where rows are training rows.
func NewSimilarity(rows, trainingRows int, function func(out []float64, rows, trainingRows []int64) error,
	self []float64) (*Data, error) {
	asked := newCallback(func(out, _ []float64, some, training []int64) error { return function(out, some, training) })
	data, err := newData(func() swig.NativeData {
		return swig.NativeDataSimilarity_by(int64(rows), int64(trainingRows), swig.SimilarityAddress(),
			int64(asked.handle), self)
	})
	if err == nil {
		data.callback = asked
	}
	return data, err
}

// NewPointSimilarity takes rows with a similarity to any points: function writes those of some rows with some points, row
// by row; points are as wide as x. Kernel similarity asks for it.
func NewPointSimilarity(x []float64, rows, cols int, function func(out, points []float64, rows []int64) error) (*Data, error) {
	asked := newCallback(func(out, points []float64, some, _ []int64) error { return function(out, points, some) })
	data, err := newData(func() swig.NativeData {
		return swig.NativeDataPoint_similarity_by(x, int64(rows), int64(cols), swig.PointSimilarityAddress(),
			int64(asked.handle))
	})
	if err == nil {
		data.callback = asked
	}
	return data, err
}

// NewSeries takes time series: for each its number of steps, and all steps of all channels one after the other.
func NewSeries(values []float64, lengths []int64, channels int) (*Data, error) {
	return newData(func() swig.NativeData { return swig.NativeDataSeries(values, lengths, int64(channels)) })
}

// NewStrings takes strings, which may be empty.
func NewStrings(texts []string) (*Data, error) {
	list := stringsOf(texts)
	defer swig.DeleteStrings(list)
	return newData(func() swig.NativeData { return swig.NativeDataStrings(list) })
}

func stringsOf(texts []string) swig.Strings {
	list := swig.NewStrings()
	for _, text := range texts {
		list.Add(text)
	}
	return list
}

func (d *Data) use(action func(swig.NativeData) error) error {
	if d == nil {
		return invalid("data is nil; it must be made by NewData or its kin")
	}
	return d.handle.use(action)
}

func (d *Data) call(action func(swig.NativeData)) error {
	return d.use(func(native swig.NativeData) error { return call(func() { action(native) }) })
}

// SetLabels sets integer class labels, one a row.
func (d *Data) SetLabels(labels []int64) error {
	return d.call(func(native swig.NativeData) { native.Set_labels(labels) })
}

// SetLabelNames sets class labels by name, one a row, none empty.
func (d *Data) SetLabelNames(labels []string) error {
	list := stringsOf(labels)
	defer swig.DeleteStrings(list)
	return d.call(func(native swig.NativeData) { native.Set_label_names(list) })
}

// SetLabelSets sets several labels a row, or none: one set a row, of labels among the names, which stand in the order in
// which models have them. Without names they are all that stand in a set, in ascending order. A classifier that learns
// them makes one model with a function for each label, see Multilabel.
func (d *Data) SetLabelSets(sets [][]string, names ...string) error {
	if len(names) == 0 {
		names = labelsOf(sets)
	}
	positions := make(map[string]int64, len(names))
	for position, name := range names {
		positions[name] = int64(position)
	}
	offsets := make([]int64, 1, len(sets)+1)
	var labels []int64
	for row, set := range sets {
		for _, label := range set {
			position, known := positions[label]
			if !known {
				return invalid(fmt.Sprintf("row %d has the label %s, which the names lack", row, label))
			}
			labels = append(labels, position)
		}
		offsets = append(offsets, int64(len(labels)))
	}
	list := stringsOf(names)
	defer swig.DeleteStrings(list)
	return d.call(func(native swig.NativeData) { native.Set_label_sets(offsets, labels, list) })
}

// labelsOf lists all labels of the sets in ascending order.
func labelsOf(sets [][]string) []string {
	known := map[string]bool{}
	for _, set := range sets {
		for _, label := range set {
			known[label] = true
		}
	}
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// SetTargets sets the targets of a regression, one a row; or as many for each row, one row after the other, for machines
// that learn several targets at once.
func (d *Data) SetTargets(targets []float64) error {
	return d.call(func(native swig.NativeData) { native.Set_targets(targets) })
}

// SetWeights sets the weight of each row in training.
func (d *Data) SetWeights(weights []float64) error {
	return d.call(func(native swig.NativeData) { native.Set_sample_weights(weights) })
}

// SetGroups sets the group of each row, any integers: rows that belong together, such as those of one patient.
// Everything that holds out folds keeps a group in one of them.
func (d *Data) SetGroups(groups []int64) error {
	return d.call(func(native swig.NativeData) { native.Set_groups(groups) })
}

// SetFeatureNames sets the names of the columns, none twice.
func (d *Data) SetFeatureNames(names []string) error {
	list := stringsOf(names)
	defer swig.DeleteStrings(list)
	return d.call(func(native swig.NativeData) { native.Set_feature_names(list) })
}

// SetRowNames sets names of the rows, such as numbers of patients, by which explanations and pages call them.
func (d *Data) SetRowNames(names []string) error {
	list := stringsOf(names)
	defer swig.DeleteStrings(list)
	return d.call(func(native swig.NativeData) { native.Set_row_names(list) })
}

// Dims are the numbers of rows and columns; 0, 0 of closed data.
func (d *Data) Dims() (rows, cols int) {
	_ = d.use(func(native swig.NativeData) error {
		rows, cols = int(native.Rows()), int(native.Cols())
		return nil
	})
	return rows, cols
}

// A Kind says what rows are.
type Kind int

// The kinds of the C interface.
const (
	Dense Kind = iota
	Sparse
	Similarities
	Series
	Strings
	Graphs
)

// Kind is what the rows are.
func (d *Data) Kind() (kind Kind, err error) {
	err = d.call(func(native swig.NativeData) { kind = Kind(native.Kind_number()) })
	return kind, err
}

// Labels are the classes of the rows as Predict would give them.
func (d *Data) Labels() ([]int64, error) {
	labels := make([]int64, d.rows())
	return labels, d.call(func(native swig.NativeData) { native.Labels(labels) })
}

// Values are the features of dense data.
func (d *Data) Values() (Rows, error) {
	rows, cols := d.Dims()
	values := make([]float64, rows*cols)
	return table(values, cols, d.call(func(native swig.NativeData) { native.Values(values) }))
}

// FeatureName is the name of a column, from 0; f1, f2, ... where columns have none.
func (d *Data) FeatureName(column int) (name string, err error) {
	err = d.call(func(native swig.NativeData) { name = native.Feature_name(int64(column)) })
	return name, err
}

// RowName is the name of a row; empty where rows have none.
func (d *Data) RowName(row int) (name string, err error) {
	err = d.call(func(native swig.NativeData) { name = native.Row_name(int64(row)) })
	return name, err
}

// KernelCount counts the kernels that a specification makes for these data.
func (d *Data) KernelCount(kernel string) (count int64, err error) {
	err = d.call(func(native swig.NativeData) { count = swig.Kernel_count(native, kernel) })
	return count, err
}

// Select copies some rows, in any order, with their labels, targets, weights and groups.
func (d *Data) Select(rows []int64) (selected *Data, err error) {
	err = d.use(func(native swig.NativeData) error {
		selected, err = newData(func() swig.NativeData { return native.Take(rows) })
		if err == nil {
			selected.callback = d.callback
		}
		return err
	})
	return selected, err
}

// SelectFunc copies the rows that are kept, each known by its position from 0.
func (d *Data) SelectFunc(keep func(row int) bool) (*Data, error) {
	var kept []int64
	for row, count := 0, d.rows(); row < count; row++ {
		if keep(row) {
			kept = append(kept, int64(row))
		}
	}
	return d.Select(kept)
}

func (d *Data) rows() int {
	rows, _ := d.Dims()
	return rows
}

// Folds is a stratified split: the fold of each row. The same for the same seed on every machine.
func (d *Data) Folds(count int, seed int64) ([]int64, error) {
	folds := make([]int64, d.rows())
	return folds, d.call(func(native swig.NativeData) { native.Folds(folds, int64(count), seed) })
}

// Close frees the native data when no call uses it any more.
func (d *Data) Close() error {
	if d == nil {
		return nil
	}
	runtime.SetFinalizer(d, nil)
	return d.handle.close()
}

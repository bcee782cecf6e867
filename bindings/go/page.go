// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"fmt"
	"strings"

	"libdk/internal/swig"
)

// PageOptions say what a page shows; the zero value is the library's defaults.
type PageOptions struct {
	ImageWidth  int    // rows are pictures of this width; 0: they are none
	ImageHeight int    // and of this height
	Rows        int    // so many wrong rows are shown; 0 is the default, 20
	Title       string // the heading
	ForManager  bool   // the page of one model is for who decides what to do with its predictions: how good they are on unseen rows, which columns matter, what would turn some
}

// text are the options as the library reads them; the title is the rest of it.
func (p PageOptions) text() string {
	var said []string
	if p.ImageWidth != 0 || p.ImageHeight != 0 {
		said = append(said, fmt.Sprintf("image=%dx%d", p.ImageWidth, p.ImageHeight))
	}
	if p.Rows != 0 {
		said = append(said, fmt.Sprintf("rows=%d", p.Rows))
	}
	if p.ForManager {
		said = append(said, "for=manager")
	}
	if p.Title != "" {
		said = append(said, "title="+p.Title)
	}
	return strings.Join(said, " ")
}

// WritePage writes a page about the model and its predictions, as HTML that any browser opens without a network: charts of its
// quality where the rows have labels or targets, kernels, prototypes, a map of the rows, its training, and the rows that are
// most wrong with their explanations. training are the rows that the model was trained with, or nil: with them prototypes and
// nearest rows are shown. The same input gives the same bytes.
func (m *Model) WritePage(ctx context.Context, path string, data, training *Data, page PageOptions, options ...Option) error {
	err := m.withRows(ctx, data, training, options,
		func(model swig.NativeModel, rows, known swig.NativeData, control swig.NativeControl) {
			if known == nil {
				model.Report(path, rows, page.text(), control)
			} else {
				model.Report_with(path, rows, known, page.text(), control)
			}
		})
	return causedByWriting(path, err)
}

// Compare writes a page that compares 2 to 100 models of one task on the same rows, with intervals (Wilson 1927) and McNemar's
// exact test.
func Compare(ctx context.Context, path string, models []*Model, data *Data, page PageOptions, options ...Option) error {
	var list swig.ModelList
	if err := call(func() { list = swig.NewModelList() }); err != nil {
		return err
	}
	defer swig.DeleteModelList(list)
	for _, model := range models {
		if err := model.call(func(native swig.NativeModel) { list.Add(native) }); err != nil {
			return err
		}
	}
	err := data.use(func(rows swig.NativeData) error {
		return calling(ctx, options, func(control swig.NativeControl) { list.Compare(path, rows, page.text(), control) })
	})
	return causedByWriting(path, err)
}

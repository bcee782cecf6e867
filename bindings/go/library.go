// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"

	"libdk/internal/swig"
)

// Version is that of the native library.
func Version() string { return swig.Version() }

// BuildInfo is a line about the native library: version, compiler and vector instructions in use.
func BuildInfo() string { return swig.Build_info() }

// Describe lists all machines, kernels, weights, parameters and metrics as JSON, with types, defaults and ranges.
func Describe() string { return swig.Describe() }

// Gram gives the kernel matrices of all rows of left with all rows of right (nil: left itself), one for each kernel
// of a bank.
func Gram(ctx context.Context, left, right *Data, kernel string, options ...Option) (matrices []Rows, err error) {
	columns := right
	if right == nil {
		columns = left
	}
	err = left.use(func(l swig.NativeData) error {
		return columns.use(func(c swig.NativeData) error {
			var count int64
			if err := call(func() { count = swig.Kernel_count(c, kernel) }); err != nil {
				return err
			}
			if err := require(count*l.Rows(), c.Rows()); err != nil {
				return err
			}
			size := int(l.Rows() * c.Rows())
			values := make([]float64, int(count)*size)
			err := calling(ctx, options, func(control swig.NativeControl) {
				if right == nil {
					swig.Own_gram(values, l, kernel, control)
				} else {
					swig.Gram(values, l, c, kernel, control)
				}
			})
			for k := 0; err == nil && k < int(count); k++ {
				var matrix Rows
				matrix, err = table(values[k*size:(k+1)*size], int(c.Rows()), nil)
				matrices = append(matrices, matrix)
			}
			return err
		})
	})
	return matrices, err
}

// GramSingle gives kernel values of all rows of left with all rows of right in single precision: the matrices of a bank
// one after the other, each row by row.
func GramSingle(ctx context.Context, left, right *Data, kernel string, options ...Option) (values []float32, err error) {
	err = left.use(func(l swig.NativeData) error {
		return right.use(func(r swig.NativeData) error {
			var count int64
			if err := call(func() { count = swig.Kernel_count(r, kernel) }); err != nil {
				return err
			}
			if err := require(count*l.Rows(), r.Rows()); err != nil {
				return err
			}
			values = make([]float32, count*l.Rows()*r.Rows())
			return calling(ctx, options, func(control swig.NativeControl) {
				swig.Gram_single(values, l, r, kernel, control)
			})
		})
	})
	return values, err
}

// GramProduct gives K v of a kernel's matrix, which is not stored: left rows x columns of v, which has a row for each
// row of right.
func GramProduct(ctx context.Context, left, right *Data, kernel string, v Matrix, options ...Option) (product Rows, err error) {
	flat, _, cols, err := flattened(v)
	if err != nil {
		return nil, err
	}
	err = left.use(func(l swig.NativeData) error {
		return right.use(func(r swig.NativeData) error {
			if err := require(l.Rows(), int64(cols)); err != nil {
				return err
			}
			values := make([]float64, int(l.Rows())*cols)
			product, err = table(values, cols, calling(ctx, options, func(control swig.NativeControl) {
				swig.Gram_product(values, l, r, kernel, flat, int64(cols), control)
			}))
			return err
		})
	})
	return product, err
}

// VerificationCurve is the curve of a verification system in which every client has a threshold of its own: at each
// false acceptance rate (0 to 1) the mean over the clients of the share of their genuine claims that are rejected.
// A claim has a score, such as a decision value, is the client's own or an impostor's, and is to be clients[i]; nil
// clients are one.
func VerificationCurve(ctx context.Context, far, scores []float64, genuine []bool, clients []int64, options ...Option) ([]float64, error) {
	if clients != nil && len(clients) != len(scores) {
		return nil, invalid("clients has %d elements, scores has %d", len(clients), len(scores))
	}
	own := make([]int64, len(genuine))
	for i, one := range genuine {
		if one {
			own[i] = 1
		}
	}
	rejected := make([]float64, len(far))
	err := calling(ctx, options, func(control swig.NativeControl) {
		swig.Verification_curve(rejected, far, scores, own, clients, control)
	})
	if err != nil {
		return nil, err
	}
	return rejected, nil
}

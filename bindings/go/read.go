// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"libdk/internal/swig"
)

// ReadData reads a file in CSV or LIBSVM format, of series or of strings; options as "label=class missing=keep", see
// dk_data_from_file in dk.h.
func ReadData(path, options string) (*Data, error) {
	return ReadDataContext(context.Background(), path, options)
}

// ReadDataContext is ReadData that the context ends within 0.2 s.
func ReadDataContext(ctx context.Context, path, options string, callOptions ...Option) (*Data, error) {
	return readData(ctx, path, callOptions, func(control swig.NativeControl) swig.NativeData {
		return swig.NativeDataFile(path, options, control)
	})
}

// ReadDataFrom reads what ReadData reads, gzip compressed or not, from a reader, to its end. The library reads files, so
// that the content stands in a temporary one meanwhile. The context ends it, but not a Read that waits.
func ReadDataFrom(ctx context.Context, reader io.Reader, options string, callOptions ...Option) (*Data, error) {
	return readFrom(ctx, reader, func(path string) (*Data, error) {
		return ReadDataContext(ctx, path, options, callOptions...)
	})
}

// ReadData reads a file with the features of the training data, found by their names.
func (m *Model) ReadData(path, options string) (*Data, error) {
	return m.ReadDataContext(context.Background(), path, options)
}

// ReadDataContext is ReadData that the context ends within 0.2 s.
func (m *Model) ReadDataContext(ctx context.Context, path, options string, callOptions ...Option) (data *Data, err error) {
	err = m.use(func(native swig.NativeModel) error {
		data, err = readData(ctx, path, callOptions, func(control swig.NativeControl) swig.NativeData {
			return native.Read_rows(path, options, control)
		})
		return err
	})
	return data, err
}

// ReadDataFrom reads from a reader what ReadData reads from a file.
func (m *Model) ReadDataFrom(ctx context.Context, reader io.Reader, options string, callOptions ...Option) (*Data, error) {
	return readFrom(ctx, reader, func(path string) (*Data, error) {
		return m.ReadDataContext(ctx, path, options, callOptions...)
	})
}

func readData(ctx context.Context, path string, options []Option,
	read func(swig.NativeControl) swig.NativeData) (*Data, error) {
	var native swig.NativeData
	if err := calling(ctx, options, func(control swig.NativeControl) { native = read(control) }); err != nil {
		return nil, causedByReading(path, err)
	}
	return wrapData(native), nil
}

// readFrom reads a temporary file with the content of a reader. Its name is nobody's, so that messages speak of the reader.
func readFrom(ctx context.Context, reader io.Reader, read func(path string) (*Data, error)) (*Data, error) {
	if reader == nil {
		return nil, invalid("the reader is nil")
	}
	file, err := os.CreateTemp("", "libdk-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = io.Copy(file, &contextReader{ctx, reader})
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	data, err := read(file.Name())
	var failure *Error
	if errors.As(err, &failure) {
		failure.Message = ofReader(failure.Message, file.Name())
	}
	return data, err
}

// ofReader is a message that names the reader where it began with a path in quotes, of which it may have the head alone.
func ofReader(message, path string) string {
	if rest := strings.TrimPrefix(message, "'"); rest != message {
		quoted, after, closed := strings.Cut(rest, "'")
		if closed && strings.HasPrefix(path, strings.TrimSuffix(quoted, "...")) {
			return "the reader" + after
		}
	}
	return message
}

// contextReader is a reader that ends with its context.
type contextReader struct {
	ctx    context.Context
	reader io.Reader
}

func (c *contextReader) Read(content []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.reader.Read(content)
}

// causedBy gives a failure of a file its cause, which trying finds: the library tells it in words alone.
func causedBy(err error, try func() error) error {
	var failure *Error
	if errors.As(err, &failure) && failure.Status == IO {
		failure.Cause = try()
	}
	return err
}

func causedByReading(path string, err error) error {
	return causedBy(err, func() error {
		file, cause := os.Open(path)
		if cause == nil {
			cause = file.Close()
		}
		return cause
	})
}

// causedByWriting tries what the library does: it makes a file beside that of the path.
func causedByWriting(path string, err error) error {
	return causedBy(err, func() error {
		file, cause := os.CreateTemp(filepath.Dir(path), "libdk-")
		if cause == nil {
			file.Close()
			cause = os.Remove(file.Name())
		}
		return cause
	})
}

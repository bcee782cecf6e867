// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"libdk/internal/swig"
)

// ReadData reads a file of CSV, ARFF, LIBSVM, series or strings; options as "label=class missing=keep", see
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

// Describe says what the data are, column by column, how their file was understood, and what looks wrong with them, as JSON:
// dk_data_describe in dk.h.
func (d *Data) Describe(ctx context.Context, options ...Option) (description string, err error) {
	err = d.use(func(native swig.NativeData) error {
		return calling(ctx, options, func(control swig.NativeControl) { description = native.Describe(control) })
	})
	return description, err
}

// ReadDataFrom reads what ReadData reads, gzip compressed or not, from a reader, to its end. A reader has no name that
// tells the format: it is found from the content, unless the options say it, as "format=libsvm". The library reads files,
// so that the content stands in a temporary one meanwhile. The context ends it, but not a Read that waits.
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

// ofReader is a message that names the reader where it had a path: in quotes, where it may be cut, or before what zlib says.
func ofReader(message, path string) string {
	message = strings.ReplaceAll(message, path+": ", "")
	message = strings.ReplaceAll(message, "'"+path+"'", "the reader")
	for length := len(path); length > 0; length-- {
		message = strings.ReplaceAll(message, "'"+path[:length]+"...'", "the reader")
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

// causedBy gives a failure of a file its cause, which looking finds: the library tells it in words alone. Looking changes
// no file and waits for none, so that some causes stay unknown.
func causedBy(err error, look func() error) error {
	var failure *Error
	if errors.As(err, &failure) && failure.Status == IO {
		failure.Cause = look()
	}
	return err
}

func causedByReading(path string, err error) error {
	return causedBy(err, func() error {
		status, cause := os.Stat(path)
		if cause != nil || !status.Mode().IsRegular() { // what is no file may wait for a writer
			return cause
		}
		file, cause := os.Open(path)
		if cause == nil {
			cause = file.Close()
		}
		return cause
	})
}

// causedByWriting looks at the folder, in which the library makes a file, and at the file, which may well be absent.
func causedByWriting(path string, err error) error {
	return causedBy(err, func() error {
		if _, cause := os.Stat(filepath.Dir(path)); cause != nil {
			return cause
		}
		if _, cause := os.Stat(path); cause != nil && !errors.Is(cause, fs.ErrNotExist) {
			return cause
		}
		return writable(filepath.Dir(path))
	})
}

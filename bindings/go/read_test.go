// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

const table3 = "width,height,class\n1,2,a\n3,4.5,b\n-1,0,a\n"

func TestReadersGiveWhatFilesGive(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(table3), 0o600); err != nil {
		t.Fatal(err)
	}
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	io.WriteString(writer, table3)
	writer.Close()
	expected := must(must(ReadData(path, "label=class"))(t).Values())(t)
	for name, reader := range map[string]io.Reader{
		"text":       strings.NewReader(table3),
		"compressed": &compressed,
		"byte":       iotest.OneByteReader(strings.NewReader(table3)),
	} {
		data := must(ReadDataFrom(background, reader, "label=class"))(t)
		if values := must(data.Values())(t); !reflect.DeepEqual(values, expected) {
			t.Errorf("%s: %v", name, values)
		}
		if name := must(data.FeatureName(1))(t); name != "height" {
			t.Error(name)
		}
	}
	model := must(Train(background, must(ReadData(path, ""))(t), "svm", nil))(t)
	// columns are found by their names
	data := must(model.ReadDataFrom(background, strings.NewReader("height,width\n2,1\n"), ""))(t)
	if values := must(data.Values())(t); !reflect.DeepEqual(values, Rows{{1, 2}}) {
		t.Error(values)
	}
	if left := must(os.ReadDir(os.Getenv("TMPDIR")))(t); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestFailuresOfReadersAreToldWithoutAFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	_, err := ReadDataFrom(background, strings.NewReader("a,b\n1,2\n3\n"), "")
	expect(t, InvalidData, err)
	if !strings.Contains(err.Error(), "the reader: line 3") {
		t.Error(err)
	}
	for message, expected := range map[string]string{
		"'/tmp/a': line 3":           "the reader: line 3",
		"'/tmp/...': line 3":         "the reader: line 3",
		"cannot open '/tmp/a': gone": "cannot open the reader: gone",
		"'label' is no column":       "'label' is no column",
		"'' is no column":            "'' is no column",
		"'...' is no column":         "'...' is no column",
	} {
		if said := ofReader(message, "/tmp/a"); said != expected {
			t.Error(said)
		}
	}
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	io.WriteString(writer, table3)
	writer.Close()
	_, err = ReadDataFrom(background, bytes.NewReader(compressed.Bytes()[:compressed.Len()-9]), "")
	expect(t, IO, err)
	if said := err.Error(); !strings.Contains(said, "cannot read the reader: ") || strings.Contains(said, os.Getenv("TMPDIR")) {
		t.Error(err)
	}
	_, err = ReadDataFrom(background, nil, "")
	expect(t, InvalidArgument, err)
	if _, err = ReadDataFrom(background, iotest.ErrReader(fs.ErrClosed), ""); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	// a context that ends in the middle
	ctx, cancel := context.WithCancel(background)
	endless := readerFunc(func(content []byte) (int, error) {
		cancel()
		return copy(content, "1,2\n"), nil
	})
	if _, err = ReadDataFrom(ctx, endless, ""); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left := must(os.ReadDir(os.Getenv("TMPDIR")))(t); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(content []byte) (int, error) { return f(content) }

// accesses are the ways to reach a file.
func accesses(t *testing.T) map[string]func(path string) error {
	model := must(Train(background, labelled(t), "svm", nil))(t)
	return map[string]func(path string) error{
		"ReadData":       func(path string) error { _, err := ReadData(path, ""); return err },
		"Model.ReadData": func(path string) error { _, err := model.ReadData(path, ""); return err },
		"LoadModel":      func(path string) error { _, err := LoadModel(path); return err },
		"Save":           model.Save,
	}
}

func TestMissingFilesAreKnownByTheirErrors(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent", "file")
	for name, access := range accesses(t) {
		err := access(absent)
		expect(t, IO, err)
		if !errors.Is(err, os.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestForbiddenFilesAreKnownByTheirErrors(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is forbidden to root")
	}
	locked := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(locked, 0); err != nil {
		t.Fatal(err)
	}
	for name, access := range accesses(t) {
		if err := access(filepath.Join(locked, "file")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// a folder that may be read alone
	if err := os.Chmod(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := accesses(t)["Save"](filepath.Join(locked, "file")); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

func TestCausesAreFoundWithoutAChange(t *testing.T) {
	folder := t.TempDir()
	past := time.Unix(1e9, 0)
	if err := os.Chtimes(folder, past, past); err != nil {
		t.Fatal(err)
	}
	failure := &Error{Status: IO}
	if causedByWriting(filepath.Join(folder, "model.dk"), failure); failure.Cause != nil {
		t.Error(failure.Cause)
	}
	if changed := must(os.Stat(folder))(t).ModTime(); !changed.Equal(past) {
		t.Errorf("the folder was changed at %v", changed)
	}
}

func TestOptionsTellTheFormatOfReaders(t *testing.T) {
	_, err := ReadDataFrom(background, strings.NewReader("1 2\n3 4\n"), "format=libsvm")
	expect(t, InvalidData, err)
	data := must(ReadDataFrom(background, strings.NewReader("1 1:2\n0 2:3\n"), ""))(t)
	if _, cols := data.Dims(); cols != 2 {
		t.Error(cols)
	}
}

func TestOtherFailuresHaveNoCause(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.dk")
	if err := os.WriteFile(path, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := LoadModel(path)
	expect(t, ModelFormat, err)
	if errors.Unwrap(err) != nil {
		t.Error(err)
	}
}

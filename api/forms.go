package api

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Limits of the fields of a form.
const (
	maxParts = 20
	maxField = 4 << 10
)

// smallForms parses forms with little memory: files go to temporary files until the
// response is sent, and fields are limited. It must be the last middleware that wraps
// the context.
func smallForms(ctx huma.Context, next func(huma.Context)) {
	in := &formContext{humaContext: ctx}
	defer in.remove()
	next(in)
}

type humaContext huma.Context // renamed, because the type has a method Context

type formContext struct {
	humaContext
	form *multipart.Form
}

// Unwrap returns the context of the server, for Huma's adapter.
func (c *formContext) Unwrap() huma.Context { return c.humaContext }

// GetMultipartForm parses the form for Huma.
func (c *formContext) GetMultipartForm() (*multipart.Form, error) {
	_, params, err := mime.ParseMediaType(c.Header("Content-Type"))
	if err != nil || params["boundary"] == "" || c.BodyReader() == nil {
		return nil, http.ErrNotMultipart
	}
	c.form, err = readForm(multipart.NewReader(c.BodyReader(), params["boundary"]))
	return c.form, err
}

func (c *formContext) remove() {
	if c.form == nil {
		return
	}
	if err := c.form.RemoveAll(); err != nil {
		slog.WarnContext(c.Context(), "a temporary file was not removed", "error", err)
	}
}

// readForm limits each part of a form and parses the result with
// multipart.Reader.ReadForm, which by itself stores up to 10 MB of fields in memory.
func readForm(parts *multipart.Reader) (*multipart.Form, error) {
	read, write := io.Pipe()
	checked := multipart.NewWriter(write)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := copyParts(checked, parts)
		if err == nil {
			err = checked.Close()
		}
		_ = write.CloseWithError(err)
	}()
	form, err := multipart.NewReader(read, checked.Boundary()).ReadForm(maxField)
	_ = read.Close()
	<-done // the body must not be read after the return
	return form, err
}

func copyParts(to *multipart.Writer, parts *multipart.Reader) error {
	for range maxParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		copied, err := to.CreatePart(part.Header)
		if err != nil {
			return err
		}
		if part.FileName() != "" {
			_, err = io.Copy(copied, part)
		} else if _, err = io.CopyN(copied, part, maxField+1); errors.Is(err, io.EOF) {
			err = nil
		} else if err == nil {
			err = fmt.Errorf("the field %.40q is too long", part.FormName())
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("more than %d parts", maxParts)
}

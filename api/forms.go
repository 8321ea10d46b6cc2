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

// What a form may have besides its files.
const (
	maxParts = 20
	maxField = 4 << 10
)

// smallForms reads the forms of operations so that hardly any of them is in
// memory: files go to the system's temporary folder until the answer is made,
// and fields are short. Mount it behind whatever else wraps the context.
func smallForms(ctx huma.Context, next func(huma.Context)) {
	in := &formContext{humaContext: ctx}
	defer in.remove()
	next(in)
}

type humaContext huma.Context // whose own name is a method's

type formContext struct {
	humaContext
	form *multipart.Form
}

// Unwrap is for those who look for the context of the server.
func (c *formContext) Unwrap() huma.Context { return c.humaContext }

// GetMultipartForm is what Huma calls.
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
		slog.WarnContext(c.Context(), "a temporary file stays", "error", err)
	}
}

// readForm is multipart's own ReadForm, which would hold 10 MB of fields,
// behind a look at each part.
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
	<-done // the body is not for reading after this
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

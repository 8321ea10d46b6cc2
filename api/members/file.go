package members

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/images"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// File is a stored file that its reader may see.
type File struct {
	ContentType string
	Bytes       int64
	key         string
	store       *files.Store
	unkept      bool // by the reader's browser
}

// Range opens length bytes from offset. The caller closes the reader.
func (f File) Range(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	return f.store.Range(ctx, f.key, offset, length)
}

// readable is the one rule of who may read a file f. What belongs to a profile:
// all who may see the member. A selfie: its member, and admins while it waits to
// be compared, for which they may see the photos too. What is for a message: its
// owner until it is sent, and then both sides while the conversation is shown to
// them, as messaging has it. Pass "admin" as the session proved it.
const readable = `(EXISTS (SELECT FROM member_media m JOIN users u ON u.id = m.user_id WHERE m.file_id = f.id AND ` + Visible + `)
	OR EXISTS (SELECT FROM verifications v WHERE v.selfie_id = f.id AND v.user_id = @viewer)
	OR EXISTS (SELECT FROM uploads p WHERE p.id = f.id AND p.owner_id = @viewer AND p.expires_at > now())
	OR EXISTS (SELECT FROM message_files mf JOIN conversations c ON c.id = mf.conversation_id
		JOIN users o ON o.id = CASE c.user_a WHEN @viewer THEN c.user_b ELSE c.user_a END
		WHERE mf.file_id = f.id AND @viewer IN (c.user_a, c.user_b) AND o.profile_status = 'active'
			AND c.closed_at IS NULL AND (c.declined_at IS NULL OR c.requested_by = @viewer))
	OR @admin AND EXISTS (SELECT FROM verifications v WHERE v.status = 'pending' AND v.user_id = f.owner_id AND (
		v.selfie_id = f.id OR EXISTS (SELECT FROM member_media m WHERE m.file_id = f.id AND m.slot = 'photo'))))`

// OpenFile finds a stored file that the viewer may see. NotFound otherwise,
// whether it exists or not.
func (s *Service) OpenFile(ctx context.Context, viewer web.Actor, id uuid.UUID, variant string) (File, error) {
	var recordedAs *string
	var copied bool
	err := s.pool.QueryRow(ctx, `SELECT CASE WHEN f.duration_ms IS NOT NULL THEN f.content_type END, f.copy_bytes IS NOT NULL
		FROM files f WHERE f.id = @id AND `+readable,
		pgx.NamedArgs{"id": id, "viewer": viewer.ID, "admin": viewer.Admin}).Scan(&recordedAs, &copied)
	if err != nil {
		return File{}, pg.Fault(err)
	}
	if variant == NormalisedCopy && !copied {
		return File{}, noFile()
	}
	return s.open(ctx, id, variant, recordedAs)
}

// OpenEvidence finds the blob of a file that is kept as evidence, whether its
// message is there or not; the caller has checked that it may be seen.
// NotFound when there is no such variant of it.
func (s *Service) OpenEvidence(ctx context.Context, id uuid.UUID, variant, contentType string) (File, error) {
	var recordedAs *string
	if contentType != images.ContentType {
		recordedAs = &contentType
	}
	file, err := s.open(ctx, id, variant, recordedAs)
	file.unkept = true
	return file, err
}

func noFile() error { return fault.New(fault.NotFound, "We could not find that.") }

// open finds a variant of a file. recordedAs is the type of a recording, nil for
// a picture.
func (s *Service) open(ctx context.Context, id uuid.UUID, variant string, recordedAs *string) (File, error) {
	file := File{key: BlobKey(id, variant), store: s.files}
	switch {
	case variant == full || variant == thumb || variant == poster:
		file.ContentType = images.ContentType
	case variant == recorded && recordedAs != nil:
		file.ContentType = *recordedAs
	case variant == NormalisedCopy && recordedAs != nil:
		kind, _, _ := strings.Cut(*recordedAs, "/")
		file.ContentType = kind + "/mp4"
	default:
		return file, noFile()
	}
	var err error
	file.Bytes, err = s.files.Size(ctx, file.key)
	if fault.Is(err, fault.NotFound) {
		return file, noFile()
	}
	return file, err
}

type fileInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Variant string    `path:"variant" maxLength:"20"`
	Range   string    `header:"Range" maxLength:"100"`
}

func (s *Service) getFile(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
	actor, _ := web.ActorOf(ctx)
	file, err := s.OpenFile(ctx, actor, in.ID, in.Variant)
	if err != nil {
		return nil, err
	}
	return file.Send(ctx, in.Range)
}

// Send answers with the file or the part of it that a Range header names.
func (f File) Send(ctx context.Context, ranges string) (*huma.StreamResponse, error) {
	part := partOf(ranges, f.Bytes)
	if part.outside {
		return &huma.StreamResponse{Body: func(out huma.Context) { part.head(out, f) }}, nil
	}
	// Opened while there is still an error to answer with. The request's context
	// ends before the last byte is sent, so it must not end the reading; the store
	// ends it when nothing comes any more.
	content, err := f.Range(context.WithoutCancel(ctx), part.first, part.length())
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(out huma.Context) {
		part.head(out, f)
		web.Stream(out, content, part.length())
	}}, nil
}

// part is what of a file is sent.
type part struct {
	first, last    int64
	given, outside bool
}

func (p part) length() int64 { return p.last - p.first + 1 }

// head writes status and headers. The address never holds another content, so
// that it may be kept for ever, by the member's own browser only; and should it
// ever be opened as a page, it can do nothing.
func (p part) head(out huma.Context, file File) {
	out.SetHeader("Cache-Control", "private, max-age=31536000, immutable")
	if file.unkept {
		out.SetHeader("Cache-Control", "no-store")
	}
	out.SetHeader("X-Content-Type-Options", "nosniff")
	out.SetHeader("Content-Security-Policy", "sandbox; default-src 'none'")
	out.SetHeader("Cross-Origin-Resource-Policy", "same-origin")
	out.SetHeader("Accept-Ranges", "bytes")
	out.SetHeader("Content-Type", file.ContentType)
	switch {
	case p.outside:
		out.SetHeader("Content-Range", fmt.Sprintf("bytes */%d", file.Bytes))
		out.SetStatus(http.StatusRequestedRangeNotSatisfiable)
		return
	case p.given:
		out.SetHeader("Content-Range", fmt.Sprintf("bytes %d-%d/%d", p.first, p.last, file.Bytes))
		out.SetStatus(http.StatusPartialContent)
	default:
		out.SetStatus(http.StatusOK)
	}
	out.SetHeader("Content-Length", strconv.FormatInt(p.length(), 10))
}

// partOf reads a Range header with one range. What it cannot read is as if not
// given (RFC 9110, 14.2).
func partOf(header string, size int64) part {
	whole := part{last: size - 1}
	spec, ok := strings.CutPrefix(header, "bytes=")
	from, to, dash := strings.Cut(spec, "-")
	if !ok || !dash {
		return whole
	}
	a, errA := strconv.ParseInt(from, 10, 48)
	b, errB := strconv.ParseInt(to, 10, 48)
	if a < 0 || b < 0 || strings.HasPrefix(from, "+") || strings.HasPrefix(to, "+") {
		return whole
	}
	switch {
	case from == "" && errB == nil: // the last b bytes
		return part{first: max(0, size-b), last: size - 1, given: true, outside: b == 0}
	case errA == nil && to == "":
		return part{first: a, last: size - 1, given: true, outside: a >= size}
	case errA == nil && errB == nil && a <= b:
		return part{first: a, last: min(b, size-1), given: true, outside: a >= size}
	}
	return whole
}

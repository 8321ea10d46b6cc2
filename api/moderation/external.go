package moderation

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"heartward/api/media"
	"heartward/api/messaging/flags"
	"heartward/api/messaging/guard"
	"heartward/api/platform/images"
	"heartward/api/platform/nilcheck"
)

const (
	externalTimeout  = 5 * time.Second
	maxResponseBytes = 64 << 10
)

// External reviews delivered messages, and the pictures of profiles, with the moderation
// endpoint of a third party, in the format of OpenAI's. It adds flags and reports and never
// removes one. It is used only if configured, because it sends texts and pictures to the
// third party.
type External struct {
	endpoint Endpoint
	reports  *Service
	flags    *flags.Service
	files    *media.Service
	client   *http.Client
}

// Endpoint is a moderation endpoint. Package config has validated its URL.
type Endpoint struct {
	URL, Key, Model string
	Pictures        bool // pictures and videos are sent too
}

// NewExternal returns an External for an endpoint. It panics when a dependency is nil.
func NewExternal(s *Service, f *flags.Service, files *media.Service, e Endpoint) *External {
	nilcheck.Must("moderation.NewExternal", nilcheck.Deps{"s": s, "f": f, "files": files})
	return &External{endpoint: e, reports: s, flags: f, files: files, client: &http.Client{
		Timeout:       externalTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// RetryLaterError is the error when the endpoint asks to wait before the next request.
type RetryLaterError struct{ After time.Duration }

func (e *RetryLaterError) Error() string {
	return fmt.Sprintf("the moderation endpoint asks for a retry after %s", e.After)
}

// RefusedError is the error for a status after which a retry is useless.
type RefusedError struct{ Status int }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the moderation endpoint responds with status %d", e.Status)
}

// Review sends the text of a message and, if configured, its pictures or the poster of its
// video to the endpoint, one request each, and stores a flag for the first that is flagged.
// It returns *RetryLaterError, *RefusedError, or another error after which a retry may
// succeed. After an error the message is unchanged.
func (r *External) Review(ctx context.Context, message uuid.UUID) error {
	reviewed, err := r.flags.FindReviewed(ctx, message)
	if err != nil {
		return err
	}
	var found verdict
	if reviewed.Text != "" {
		if found, err = r.classify(ctx, reviewed.Text); err != nil {
			return err
		}
	}
	for _, file := range reviewed.FileIDs {
		if found.category != guard.None {
			break
		}
		if found, err = r.classifyPicture(ctx, file); err != nil {
			return err
		}
	}
	if found.category == guard.None {
		return nil
	}
	return r.flags.Raise(ctx, message, found.category, found.score)
}

// ReviewPicture sends a picture of a profile, or the poster of a video, to the endpoint, and
// reports the member if it is flagged. It does nothing for a file that is no longer in the
// profile. The errors are those of Review.
func (r *External) ReviewPicture(ctx context.Context, file uuid.UUID) error {
	if _, found, err := findProfilePicture(ctx, r.reports.pool, file); err != nil || !found {
		return err
	}
	found, err := r.classifyPicture(ctx, file)
	if err != nil || found.category == guard.None {
		return err
	}
	return r.reports.reportPicture(ctx, file, found)
}

// classifyPicture sends the small version of a picture or poster. Without one, or if
// pictures are not sent, it returns a verdict without a category.
func (r *External) classifyPicture(ctx context.Context, file uuid.UUID) (verdict, error) {
	if !r.endpoint.Pictures {
		return verdict{}, nil
	}
	picture, err := r.files.PictureToReview(ctx, file)
	if err != nil || len(picture) == 0 {
		return verdict{}, err
	}
	address := "data:" + images.ContentType + ";base64," + base64.StdEncoding.EncodeToString(picture)
	return r.classify(ctx, []map[string]any{{"type": "image_url", "image_url": map[string]string{"url": address}}})
}

// classify sends a text or a list of inputs.
func (r *External) classify(ctx context.Context, input any) (verdict, error) {
	body, err := json.Marshal(map[string]any{"model": r.endpoint.Model, "input": input})
	if err != nil {
		return verdict{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.endpoint.URL, bytes.NewReader(body))
	if err != nil {
		return verdict{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	if r.endpoint.Key != "" {
		request.Header.Set("Authorization", "Bearer "+r.endpoint.Key)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return verdict{}, err
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests:
		return verdict{}, &RetryLaterError{retryAfter(response.Header.Get("Retry-After"))}
	case status >= 500, status == http.StatusRequestTimeout:
		return verdict{}, fmt.Errorf("the moderation endpoint responds with status %d", status)
	case status != http.StatusOK:
		return verdict{}, &RefusedError{status}
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxResponseBytes))
	if err != nil {
		return verdict{}, err
	}
	return parseVerdict(raw)
}

// retryAfter parses a Retry-After header in seconds and clamps it to between 10
// seconds and an hour. Without a number it returns a minute.
func retryAfter(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil {
		seconds = 60
	}
	return time.Duration(min(max(seconds, 10), 3600)) * time.Second
}

// externalCategories maps the endpoint's categories to those of package guard. Other
// categories are ignored.
var externalCategories = map[string]string{
	"harassment": guard.Harassment, "harassment/threatening": guard.Harassment, "hate": guard.Harassment,
	"hate/threatening": guard.Harassment, "violence": guard.Harassment,
	"sexual": guard.SexualPressure, "sexual/minors": guard.SexualPressure,
}

// verdict is the result of a review. Without a category nothing was found.
type verdict struct {
	category string // of package guard
	score    float64
	isMinor  bool // the endpoint sees sexual contents about a minor
}

// blockScore is the score from which a picture hides the profile at once.
const blockScore = 0.95

// blocks reports whether the profile is hidden until an admin decides.
func (v verdict) blocks() bool { return v.isMinor || v.score >= blockScore }

// parseVerdict returns the category with the highest score in a response, or None.
func parseVerdict(raw []byte) (verdict, error) {
	var response struct {
		Results []struct {
			Flagged    bool               `json:"flagged"`
			Categories map[string]bool    `json:"categories"`
			Scores     map[string]float64 `json:"category_scores"`
		} `json:"results"`
	}
	if err := json.Unmarshal(raw, &response); err != nil {
		return verdict{}, fmt.Errorf("the moderation endpoint does not respond with JSON: %w", err)
	}
	if len(response.Results) == 0 {
		return verdict{}, fmt.Errorf("the moderation endpoint responds without a result")
	}
	result := response.Results[0]
	if !result.Flagged {
		return verdict{category: guard.None}, nil
	}
	found := verdict{category: guard.None, isMinor: result.Categories["sexual/minors"]}
	for external, flagged := range result.Categories {
		local, known := externalCategories[external]
		value := min(max(result.Scores[external], 0.01), 1)
		if flagged && known && (value > found.score || value == found.score && local < found.category) {
			found.category, found.score = local, value
		}
	}
	return found, nil
}

package moderation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"heartward/api/messaging"
	"heartward/api/messaging/guard"
	"heartward/api/platform/nilcheck"
)

const (
	externalTimeout  = 5 * time.Second
	maxResponseBytes = 64 << 10
)

// External reviews delivered messages with the moderation endpoint of a third party, in the
// format of OpenAI's. It adds flags and never removes one. It is used only if configured,
// because it sends texts to the third party.
type External struct {
	url, key, model string
	messaging       *messaging.Service
	client          *http.Client
}

// NewExternal returns an External for a URL that package config has validated. It panics
// when m is nil.
func NewExternal(m *messaging.Service, url, key, model string) *External {
	nilcheck.Must("moderation.NewExternal", nilcheck.Deps{"m": m})
	return &External{url: url, key: key, model: model, messaging: m, client: &http.Client{
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

// Review sends the text of a message to the endpoint and stores a flag if it is
// flagged. It returns *RetryLaterError, *RefusedError, or another error after which a
// retry may succeed. After an error the message is unchanged.
func (r *External) Review(ctx context.Context, message uuid.UUID) error {
	text, err := r.messaging.TextToReview(ctx, message)
	if err != nil || text == "" {
		return err
	}
	category, score, err := r.classify(ctx, text)
	if err != nil || category == guard.None {
		return err
	}
	return r.messaging.RaiseFlag(ctx, message, category, score)
}

func (r *External) classify(ctx context.Context, text string) (category string, score float64, err error) {
	body, err := json.Marshal(map[string]string{"model": r.model, "input": text})
	if err != nil {
		return "", 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return "", 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		request.Header.Set("Authorization", "Bearer "+r.key)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return "", 0, err
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests:
		return "", 0, &RetryLaterError{retryAfter(response.Header.Get("Retry-After"))}
	case status >= 500, status == http.StatusRequestTimeout:
		return "", 0, fmt.Errorf("the moderation endpoint responds with status %d", status)
	case status != http.StatusOK:
		return "", 0, &RefusedError{status}
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxResponseBytes))
	if err != nil {
		return "", 0, err
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

// parseVerdict returns the category with the highest score in a response, or None.
func parseVerdict(raw []byte) (category string, score float64, err error) {
	var response struct {
		Results []struct {
			Flagged    bool               `json:"flagged"`
			Categories map[string]bool    `json:"categories"`
			Scores     map[string]float64 `json:"category_scores"`
		} `json:"results"`
	}
	if err := json.Unmarshal(raw, &response); err != nil {
		return "", 0, fmt.Errorf("the moderation endpoint does not respond with JSON: %w", err)
	}
	if len(response.Results) == 0 {
		return "", 0, fmt.Errorf("the moderation endpoint responds without a result")
	}
	result := response.Results[0]
	if !result.Flagged {
		return guard.None, 0, nil
	}
	for external, flagged := range result.Categories {
		local, known := externalCategories[external]
		if value := min(max(result.Scores[external], 0.01), 1); flagged && known && (value > score || value == score && local < category) {
			category, score = local, value
		}
	}
	return category, score, nil
}

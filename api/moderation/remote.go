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
	remoteTimeout = 5 * time.Second
	mostAnswer    = 64 << 10
)

// Remote asks a moderation endpoint of another party, in OpenAI's form, about
// messages that were delivered. It may add a flag and never takes one away.
// Texts leave the server by it, so there is none unless it is configured.
type Remote struct {
	url, key, model string
	talk            *messaging.Service
	client          *http.Client
}

// NewRemote makes one for an address that config has checked. It panics without talk.
func NewRemote(talk *messaging.Service, url, key, model string) *Remote {
	nilcheck.Must("moderation.NewRemote", nilcheck.Deps{"talk": talk})
	return &Remote{url: url, key: key, model: model, talk: talk, client: &http.Client{
		Timeout:       remoteTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// TryLater says that the endpoint wants to be left alone for a while.
type TryLater struct{ After time.Duration }

func (e *TryLater) Error() string {
	return fmt.Sprintf("the moderation endpoint asks to wait %s", e.After)
}

// Refused says that the endpoint will not answer this however often it is asked.
type Refused struct{ Status int }

func (e *Refused) Error() string { return fmt.Sprintf("the moderation endpoint answers %d", e.Status) }

// Review asks about one message. An error leaves the message as it is: TryLater
// and Refused say what they say, any other may be tried again.
func (r *Remote) Review(ctx context.Context, message uuid.UUID) error {
	text, err := r.talk.ToReview(ctx, message)
	if err != nil || text == "" {
		return err
	}
	category, score, err := r.ask(ctx, text)
	if err != nil || category == guard.None {
		return err
	}
	return r.talk.RaiseFlag(ctx, message, category, score)
}

func (r *Remote) ask(ctx context.Context, text string) (category string, score float64, err error) {
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
		return "", 0, &TryLater{retryAfter(response.Header.Get("Retry-After"))}
	case status >= 500, status == http.StatusRequestTimeout:
		return "", 0, fmt.Errorf("the moderation endpoint answers %d", status)
	case status != http.StatusOK:
		return "", 0, &Refused{status}
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return "", 0, err
	}
	return verdictOf(raw)
}

// retryAfter is what was asked for, between ten seconds and an hour.
func retryAfter(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil {
		seconds = 60
	}
	return time.Duration(min(max(seconds, 10), 3600)) * time.Second
}

// remoteCategories are those of the other party that we have a word for.
var remoteCategories = map[string]string{
	"harassment": guard.Harassment, "harassment/threatening": guard.Harassment, "hate": guard.Harassment,
	"hate/threatening": guard.Harassment, "violence": guard.Harassment,
	"sexual": guard.SexualPressure, "sexual/minors": guard.SexualPressure,
}

func verdictOf(raw []byte) (category string, score float64, err error) {
	var answer struct {
		Results []struct {
			Flagged    bool               `json:"flagged"`
			Categories map[string]bool    `json:"categories"`
			Scores     map[string]float64 `json:"category_scores"`
		} `json:"results"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return "", 0, fmt.Errorf("the moderation endpoint answers no JSON: %w", err)
	}
	if len(answer.Results) == 0 {
		return "", 0, fmt.Errorf("the moderation endpoint answers without a result")
	}
	result := answer.Results[0]
	if !result.Flagged {
		return guard.None, 0, nil
	}
	for theirs, yes := range result.Categories {
		ours, known := remoteCategories[theirs]
		if value := min(max(result.Scores[theirs], 0.01), 1); yes && known && (value > score || value == score && ours < category) {
			category, score = ours, value
		}
	}
	return category, score, nil
}

package seed

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// post is a post of the community board. by is the first name of a member of the cast, "Demo" or "Admin".
type post struct {
	by, category, title, excerpt, content string

	ago      time.Duration // since the publication
	picture  string        // the path of a source; empty for none
	likes    int
	tags     []string // beside the category
	comments []comment
	status   string // published if empty
	reason   string // of a rejected post
}

// comment is a comment on a post with its replies.
type comment struct {
	by, text string
	flag     string        // of the message filter; empty for none
	after    time.Duration // after the post, or the comment that it replies to
	replies  []comment
}

var (
	postColumns = []string{"id", "author_id", "client_id", "title", "excerpt", "content", "category", "tags", "featured_image", "status",
		"rejection_reason", "created_at", "updated_at", "submitted_at", "published_at", "decided_at"}
	postLikeColumns = []string{"post_id", "user_id", "created_at"}
	commentColumns  = []string{"id", "post_id", "parent_id", "author_id", "client_id", "content", "flag", "created_at"}
)

// find returns the first member with a first name, or nil if there is none. The cast comes before generated members.
func (w *dataset) find(name string) *person {
	i := slices.IndexFunc(w.people, func(p person) bool { return p.first == name })
	if i < 0 {
		return nil
	}
	return &w.people[i]
}

// addPosts adds posts with their likes and comments. It omits posts of an author who has no account: without an admin there
// are no official posts.
func (w *dataset) addPosts() error {
	for _, p := range posts {
		author := w.find(p.by)
		if author == nil {
			continue
		}
		at := w.ago(p.ago)
		id := uuid.New()
		var image *uuid.UUID
		if p.picture != "" {
			file, err := w.addFile(author.id, p.picture, at.Add(-time.Hour))
			if err != nil {
				return err
			}
			image = &file
		}
		status, published, decided := "published", &at, &at
		switch p.status {
		case "pending":
			status, published, decided = p.status, nil, nil
		case "rejected":
			status, published = p.status, nil
		}
		sent := at.Add(-5 * time.Hour)
		w.posts = append(w.posts, []any{id, author.id, uuid.New(), p.title, p.excerpt, strings.TrimSpace(p.content), p.category, append([]string{p.category}, p.tags...), image,
			status, p.reason, sent, sent, sent, published, decided})
		w.addPostLikes(id, author.id, at, p.likes)
		for _, c := range p.comments {
			if err := w.addComment(id, nil, at, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPostLikes adds a number of likes of members, at random times since the post. It takes about two in three members in
// their order, without the author and the accounts.
func (w *dataset) addPostLikes(post, author uuid.UUID, at time.Time, likes int) {
	for i := range w.people {
		p := &w.people[i]
		if likes == 0 {
			return
		}
		if p.id == author || p.first == "Demo" || p.first == "Admin" || w.profileRandom.IntN(3) == 0 {
			continue
		}
		liked := at.Add(time.Duration(1+w.profileRandom.IntN(int(w.now.Sub(at)/time.Minute))) * time.Minute)
		w.postLikes = append(w.postLikes, []any{post, p.id, liked})
		likes--
	}
}

// addComment adds a comment with its replies. parent is nil for a comment on the post; after is the time of the post, or
// of the comment that it replies to.
func (w *dataset) addComment(post uuid.UUID, parent *uuid.UUID, after time.Time, c comment) error {
	author := w.find(c.by)
	if author == nil {
		return fmt.Errorf("there is no %s to comment", c.by)
	}
	id, at := uuid.New(), after.Add(c.after)
	w.comments = append(w.comments, []any{id, post, parent, author.id, uuid.New(), c.text, optional(c.flag), at})
	for _, reply := range c.replies {
		if err := w.addComment(post, &id, at, reply); err != nil {
			return err
		}
	}
	return nil
}

package community

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Draft is what a member writes.
type Draft struct {
	Title    string
	Excerpt  string
	Content  string // Markdown
	Category string
	Tags     []string // of the member; the category is added
	// Image is a complete upload for the profile, or the present picture of the post; Nil for none.
	Image uuid.UUID
}

// emptyMessage is the refusal of an empty field.
const emptyMessage = "Please fill in all fields before submitting."

func cleanContent(content string) (string, error) {
	content, err := text.Lines("content", content, maxContent)
	if err == nil && content == "" {
		err = fault.InvalidField("content", emptyMessage)
	}
	return content, err
}

// clean brings the texts and tags into the stored form. It returns Invalid with the field for one that is not allowed.
func (d *Draft) clean() (err error) {
	if d.Title, err = text.Line("title", d.Title, maxTitle); err != nil {
		return err
	}
	if d.Excerpt, err = text.Lines("excerpt", d.Excerpt, maxExcerpt); err != nil {
		return err
	}
	switch {
	case d.Title == "":
		return fault.InvalidField("title", emptyMessage)
	case d.Excerpt == "":
		return fault.InvalidField("excerpt", emptyMessage)
	}
	if d.Content, err = cleanContent(d.Content); err != nil {
		return err
	}
	return d.cleanTags()
}

// Create stores a post, which waits for a moderator. An admin's post in the category blog is published at once. A
// repetition with the same client id returns the first result. If the contents differ and the post still waits, they
// replace the stored ones: the member may have continued to write because the first response was lost.
//
// Errors: Invalid with the field for a draft that is not allowed; Forbidden for a blog post by a member who is not an
// admin, and for a member who is not active; Conflict for the title and content of another post of the member; RateLimited
// after 5 posts a day; and for the picture the errors of media.UsePicture with the field featuredImage.
func (s *Service) Create(ctx context.Context, actor web.Actor, clientID uuid.UUID, in Draft) (Post, error) {
	if err := in.clean(); err != nil {
		return Post{}, err
	}
	if in.Category == Blog && !actor.Admin {
		return Post{}, fault.New(fault.Forbidden, "Only the Heartward team writes on the blog.")
	}
	first, err := s.findOwn(ctx, actor.ID, clientID)
	switch {
	case err == nil && first.Status == Pending:
		return s.Edit(ctx, actor, first.ID, in)
	case err == nil || !fault.Is(err, fault.NotFound):
		return first, err
	}
	if in.Image == uuid.Nil {
		err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.insert(ctx, tx, actor.ID, clientID, in) })
	} else {
		err = s.useImage(ctx, actor.ID, in.Image, func(tx pgx.Tx) error { return s.insert(ctx, tx, actor.ID, clientID, in) })
	}
	post, findErr := s.findOwn(ctx, actor.ID, clientID)
	if err != nil && findErr != nil {
		return Post{}, err
	}
	return post, findErr // also when a concurrent call with the same client id was first
}

// findOwn returns the author's post with a client id, or NotFound.
func (s *Service) findOwn(ctx context.Context, author, clientID uuid.UUID) (Post, error) {
	return findPost(ctx, s.pool, author, `p.author_id = @viewer AND p.client_id = @client`, pgx.NamedArgs{"client": clientID})
}

// useImage makes a picture of an upload, and runs fn in the transaction that stores the picture.
func (s *Service) useImage(ctx context.Context, owner, upload uuid.UUID, fn func(tx pgx.Tx) error) error {
	err := s.media.UsePicture(ctx, owner, upload, func(tx pgx.Tx) ([]uuid.UUID, error) { return nil, fn(tx) })
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Invalid) {
		return fault.From(err).ForField("featuredImage")
	}
	return err
}

// lockActive locks the member's row, so that a change of the profile's status waits, and returns Forbidden
// if the profile is not active.
func lockActive(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	if err := members.Lock(ctx, tx, member); err != nil {
		return err
	}
	var isActive bool
	err := tx.QueryRow(ctx, `SELECT profile_status = 'active' FROM profiles WHERE id = $1`, member).Scan(&isActive)
	if err == nil && !isActive {
		err = fault.New(fault.Forbidden, "You can write here again when your profile is active.")
	}
	return err
}

// checkNew returns Conflict if the author has sent in the same story before and not deleted it.
func checkNew(ctx context.Context, tx pgx.Tx, author uuid.UUID, in Draft) error {
	var isKnown bool
	err := tx.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT FROM community_posts
			WHERE author_id = $1
				AND title = $2
				AND content = $3
		)`, author, in.Title, in.Content).Scan(&isKnown)
	if err == nil && isKnown {
		err = fault.New(fault.Conflict, "You have sent this story already. You'll find it under \"My stories\".")
	}
	return err
}

// insert stores a post, unless there is one with the client id.
func (s *Service) insert(ctx context.Context, tx pgx.Tx, author, clientID uuid.UUID, in Draft) error {
	if err := lockActive(ctx, tx, author); err != nil {
		return err
	}
	if err := checkNew(ctx, tx, author, in); err != nil {
		return err
	}
	if in.Category != Blog {
		if err := limits.Allow(ctx, tx, postsPerMember, author.String()); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO community_posts (
			author_id,
			client_id,
			title,
			excerpt,
			content,
			category,
			tags,
			featured_image,
			flag,
			status,
			published_at,
			decided_at
		)
		VALUES (
			@author, @client, @title, @excerpt, @content, @category, @tags, @image, nullif(@flag, ''),
			CASE WHEN @category = 'blog' THEN 'published' ELSE 'pending' END,
			CASE WHEN @category = 'blog' THEN clock_timestamp() END,
			CASE WHEN @category = 'blog' THEN clock_timestamp() END
		)`, s.columns(author, in, pgx.NamedArgs{"client": clientID}))
	return err
}

// columns adds the values of a draft's columns to more, and returns it. in must be clean: its first tag is the category.
func (s *Service) columns(author uuid.UUID, in Draft, more pgx.NamedArgs) pgx.NamedArgs {
	var image *uuid.UUID
	if in.Image != uuid.Nil {
		image = &in.Image
	}
	more["author"], more["title"], more["excerpt"], more["content"] = author, in.Title, in.Excerpt, in.Content
	more["category"], more["tags"], more["image"] = in.Category, in.Tags, image
	more["flag"] = s.classify(strings.Join([]string{in.Title, in.Excerpt, in.Content, strings.Join(in.Tags[1:], ", ")}, "\n"))
	return more
}

// Edit replaces a post of actor. The post waits for a moderator again, unless it is an official one that is published. An
// edit that changes nothing leaves the post as it is.
//
// Errors: NotFound for a post that is not actor's; Invalid with the field category for an edit that would make an official
// post of another one, or the reverse; RateLimited after 30 edits a day of posts and comments; and the errors of Create
// for a draft, a picture and a member who is not active.
func (s *Service) Edit(ctx context.Context, actor web.Actor, id uuid.UUID, in Draft) (Post, error) {
	if err := in.clean(); err != nil {
		return Post{}, err
	}
	category, image, err := s.selectEdited(ctx, actor.ID, id)
	switch {
	case err != nil:
		return Post{}, err
	case (category == Blog) != (in.Category == Blog):
		return Post{}, fault.InvalidField("category", "An official post stays one, and another does not become one.")
	case category == Blog && !actor.Admin:
		return Post{}, fault.New(fault.Forbidden, "Only the Heartward team writes on the blog.")
	}
	if in.Image == uuid.Nil || in.Image == image {
		err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.update(ctx, tx, actor.ID, id, in) })
	} else {
		err = s.useImage(ctx, actor.ID, in.Image, func(tx pgx.Tx) error { return s.update(ctx, tx, actor.ID, id, in) })
	}
	if err != nil {
		return Post{}, err
	}
	return s.Post(ctx, actor.ID, id)
}

// selectEdited returns the category and the picture of a post of the author.
func (s *Service) selectEdited(ctx context.Context, author, id uuid.UUID) (category string, image uuid.UUID, err error) {
	var current *uuid.UUID
	err = s.pool.QueryRow(ctx, `SELECT category, featured_image FROM community_posts WHERE id = $1 AND author_id = $2`, id, author).
		Scan(&category, &current)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", uuid.Nil, notFound()
	}
	if current != nil {
		image = *current
	}
	return category, image, pg.Fault(err)
}

// update stores an edit. The picture that it replaces is deleted by a trigger.
func (s *Service) update(ctx context.Context, tx pgx.Tx, author, id uuid.UUID, in Draft) error {
	if err := lockActive(ctx, tx, author); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `
		UPDATE community_posts p
		SET
			title = @title,
			excerpt = @excerpt,
			content = @content,
			category = @category,
			tags = @tags,
			featured_image = @image,
			flag = nullif(@flag, ''),
			status = CASE WHEN p.is_admin_post AND p.status = 'published' THEN 'published' ELSE 'pending' END,
			rejection_reason = '',
			version = p.version + 1,
			submitted_at = clock_timestamp(),
			updated_at = clock_timestamp()
		WHERE p.id = @id
			AND p.author_id = @author
			AND (p.title, p.excerpt, p.content, p.category, p.tags, p.featured_image)
				IS DISTINCT FROM (@title, @excerpt, @content, @category, @tags::text[], @image::uuid)`,
		s.columns(author, in, pgx.NamedArgs{"id": id}))
	if err != nil || tag.RowsAffected() == 0 {
		return err // nothing has changed
	}
	return limits.Allow(ctx, tx, editsPerMember, author.String())
}

// Delete deletes a post of actor with its likes, comments and picture. It returns NotFound for a post that
// is not actor's.
func (s *Service) Delete(ctx context.Context, actor, id uuid.UUID) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM community_posts WHERE id = $1 AND author_id = $2`, id, actor)
		if err == nil && tag.RowsAffected() == 0 {
			err = notFound()
		}
		return err
	})
}

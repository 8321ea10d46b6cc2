package community

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"heartward/api/platform/fault"
	"heartward/api/platform/text"
)

// maxTags is the number of tags that a member may add to the category.
const maxTags = 5

// cleanTag returns the stored form of a tag, so that equal tags have equal bytes: in lower case and NFC, without a leading
// #, without invisible characters, and with single spaces between words. It returns "" for a tag without a visible
// character, and Invalid with the field for one that is not allowed.
func cleanTag(field, tag string) (string, error) {
	tag, err := text.Line(field, tag, 2*maxTag) // the limit is checked again after the removals
	if err != nil {
		return "", err
	}
	tag = norm.NFC.String(strings.ToLower(text.WithoutInvisible(tag)))
	return text.Line(field, strings.Join(strings.Fields(strings.TrimLeft(tag, "# ")), " "), maxTag)
}

// cleanTags sets the tags of a draft: its category, and the tags that the member has added, each once.
func (d *Draft) cleanTags() error {
	tags := []string{d.Category}
	for _, tag := range d.Tags {
		tag, err := cleanTag("tags", tag)
		if err != nil {
			return err
		}
		if tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) > 1+maxTags {
		return fault.InvalidField("tags", "Please use at most 5 tags.")
	}
	d.Tags = tags
	return nil
}

// OwnTags returns the tags that the author has added to the category.
func (c PostCard) OwnTags() []string {
	return slices.DeleteFunc(slices.Clone(c.Tags), func(tag string) bool { return tag == c.Category })
}

package seed

import (
	"bytes"
	"strings"
	"time"

	"github.com/google/uuid"
)

// story is a match of the demo member with its messages.
type story struct {
	with          string        // the first name of a member of the cast
	since         time.Duration // how long ago they matched
	super         bool          // the other member sent a super like
	seen          bool          // the demo member has seen the match
	unread        int           // number of unread messages to the demo member
	unreadByOther int           // number of unread messages of the demo member
	pinned        bool          // by the demo member
	muted         bool          // by the demo member, without an end
	picturesShown bool          // to the demo member
	lines         []line
	date          *plannedDate // the date of the lines proposal and acceptance
}

// line is a message. It begins with ">" if the demo member wrote it; names of
// attached files follow "|". A line without text and files is a deleted message. The
// lines proposal and acceptance propose and accept the story's date. Replies and reactions are in messageChanges.
type line struct {
	ago  time.Duration
	text string
}

var stories = []story{
	{with: "Maya", since: 26 * time.Hour, seen: true, pinned: true, unread: 2, lines: []line{
		{25 * time.Hour, "Hi! Your bio made me want to cancel all plans and walk somewhere slowly."},
		{24*time.Hour + 40*time.Minute, ">That is the nicest thing anyone has said about my bio. Where would we walk?"},
		{3 * time.Hour, "Forest Park, lower trail, thermos of something hot. I am off on Saturday."},
		{2*time.Hour + 30*time.Minute, ">Saturday works. I will bring the something hot."},
		{9 * time.Minute, "Perfect. Ten o'clock at the Thurman gate?"},
		{7 * time.Minute, "Also: do you have opinions on ginger tea? Choose carefully."},
	}},
	{with: "Elijah", since: 3 * day, super: true, seen: true, lines: []line{
		{3*day - time.Hour, ">Up at four for croissants? I have so many questions and most of them are about butter."},
		{2*day + 20*time.Hour, "Ask away. The short answer is: more than you think, colder than you think."},
		{2*day + 19*time.Hour + 30*time.Minute, "This is what it looks like before anybody is awake.|greetings/sunrise"},
		{2*day + 19*time.Hour, ">Noted. Is there a secret door for people who arrive before opening?"},
		{5 * time.Hour, "There is for people who know my name. Come by on Thursday and I will save you the corner piece."},
		{4*time.Hour + 10*time.Minute, ">Deal. Corner pieces are my whole personality."},
		{4 * time.Hour, proposal},
		{3*time.Hour + 50*time.Minute, ">" + acceptance},
	}, date: &plannedDate{place: "The back door of Ember Bakery, SE Division St", note: "Knock twice. I will be the one covered in flour.", days: 2, hour: 19}},
	{with: "Clara", since: 8 * day, seen: true, unread: 1, lines: []line{
		{7 * day, ">How does one count an owl? Asking for myself."},
		{6*day + 4*time.Hour, "You play its call, then you stand very still and feel foolish until it answers."},
		{6*day + 3*time.Hour, ">I am excellent at feeling foolish. Do you take volunteers?"},
		{5*day + 22*time.Hour, "I do! Next survey is the first weekend in the month. Warm socks are not optional."},
		{5 * day, ">" + proposal},
		{4*day + 20*time.Hour, acceptance},
		{28 * time.Hour, "The owls were shy, you were not. I liked our walk."},
	}, date: &plannedDate{place: "Laurelhurst Park, by the pond", days: -3, hour: 16}},
	{with: "Theo", since: 24 * day, seen: true, unreadByOther: 1, lines: []line{
		{23 * day, "What is a song you never skip?"},
		{22*day + 22*time.Hour, ">Harvest Moon. Every time. You?"},
		{21 * day, "Good answer. Mine changes, but this week it is an old Ella record my patients taught me."},
		{21*day - time.Hour, "|greetings/porch"},
		{20 * day, ">Send me the name? I would like to hear what your week sounds like."},
	}},
	{with: "Grace", since: 40 * day, seen: true, muted: true, picturesShown: true, lines: []line{
		{39 * day, "Three books in three rooms. Which room would you start in?"},
		{38 * day, ">The kitchen, always the kitchen. Something with short chapters?"},
		{37 * day, "Essays. One per pot of tea. You would get on with my kitchen."},
		{37*day - time.Hour, "Exhibits A and B.|scenes/tea,scenes/reading"},
		{36*day + time.Minute, ">"},
		{36 * day, ">I had a really good time on Sunday, by the way. Thank you for the station story."},
		{35 * day, "So did I. Let us do it again when I am back from the coast."},
	}},
	{with: "Noah", since: 35 * time.Minute, seen: false},
}

// admirers like the demo member already: liking them back makes a match.
var admirers = []admirer{
	{name: "Rosa", super: true, comment: "You had me at slow dinners. I am off on Tuesdays, if mornings count as evenings."},
	{name: "Sam", comment: "That is a kind face. What were you thinking of?", onPhoto: true},
	{name: "Yuki"},
	{name: "Andre", comment: "All right, show me around. First stop: the snacks?", onPrompt: true},
	{name: "Victor", super: true},
	{name: "Nora", comment: "I do not show myself to everybody here. To you I do.", onPhoto: true},
	{name: "Alma"},
}

// admirer is an unanswered like with its comment and subject.
type admirer struct {
	name              string // the first name
	super             bool   // a super like
	comment           string
	onPhoto, onPrompt bool
}

// passed are the first names of members on whom the demo member has passed.
var passed = []string{"Walter", "Lucas", "Bridget"}

// demoQuestion is the first of the demo member's prompts.
const demoQuestion = "Ask me about"

// mustFind is find, and panics if there is none.
func (w *dataset) mustFind(first string) *person {
	if p := w.find(first); p != nil {
		return p
	}
	panic("seed: no member of the cast is called " + first)
}

// like stores a like without a comment.
func (w *dataset) like(from, to uuid.UUID, super bool, at time.Time) {
	w.likeWith(from, to, admirer{super: super}, at)
}

// likeWith stores a like with the comment of a, about the other member's first photo
// or prompt.
func (w *dataset) likeWith(from, to uuid.UUID, a admirer, at time.Time) {
	kind := "like"
	if a.super {
		kind = "super_like"
	}
	var photo *uuid.UUID
	var prompt *string
	if a.onPhoto {
		id := w.firstPhotos[to]
		photo = &id
	}
	if a.onPrompt {
		prompt = optional(demoQuestion)
	}
	w.likes = append(w.likes, []any{w.id(at), from, to, kind, a.comment, photo, prompt, at})
}

// addStories adds all that connects the demo member with others: likes, passes, the stories and message requests.
func (w *dataset) addStories(demo person) error {
	for i, admirer := range admirers {
		w.likeWith(w.mustFind(admirer.name).id, demo.id, admirer, w.ago(time.Duration(i*7+2)*time.Hour))
	}
	for i, name := range passed {
		w.passes = append(w.passes, []any{demo.id, w.mustFind(name).id, w.ago(time.Duration(i*26+1) * time.Hour)})
	}
	for _, s := range stories {
		if err := w.addStory(s, demo.id, w.mustFind(s.with).id); err != nil {
			return err
		}
	}
	w.addRequests(demo.id)
	return nil
}

// addStory adds a match with its likes, its conversation and the messages. user_a is the member with the lower id.
func (w *dataset) addStory(s story, demo, other uuid.UUID) error {
	matched := w.ago(s.since)
	w.like(other, demo, s.super, matched.Add(-6*time.Hour))
	w.like(demo, other, false, matched.Add(-time.Second)) // the like that made the match
	a, b, demoIsA := demo, other, true
	if bytes.Compare(other[:], demo[:]) < 0 {
		a, b, demoIsA = other, demo, false
	}
	match, conversation := w.id(matched), w.id(matched)
	// The other member has seen every match; the demo member may have a new one.
	w.matches = append(w.matches, []any{match, a, b, !demoIsA || s.seen, demoIsA || s.seen, matched})
	sent, err := w.addMessages(s, demo, other, conversation)
	if err != nil {
		return err
	}
	last := len(s.lines)
	aRead, bRead := s.readUpTo()
	if !demoIsA {
		aRead, bRead = bRead, aRead
	}
	w.conversations = append(w.conversations, []any{conversation, a, b, match, last, last, last, aRead, bRead, last, last, sent.lastAt, matched,
		sent.spoke[a], sent.spoke[b], sent.lastRev, sent.lastSender, nil,
		w.nowIf(s.pinned && demoIsA), w.nowIf(s.pinned && !demoIsA), infinityIf(s.muted && demoIsA), infinityIf(s.muted && !demoIsA),
		w.nowIf(s.picturesShown && demoIsA), w.nowIf(s.picturesShown && !demoIsA)})
	return nil
}

// sentMessages is what the row of a conversation has about its messages.
type sentMessages struct {
	lastAt     *time.Time // nil without messages, like lastSender
	lastSender *uuid.UUID
	lastRev    int64
	spoke      map[uuid.UUID]bool // the members who sent a recording
}

// addMessages adds the messages of a story to its conversation.
func (w *dataset) addMessages(s story, demo, other, conversation uuid.UUID) (sentMessages, error) {
	sent := sentMessages{spoke: map[uuid.UUID]bool{}}
	var dateID *uuid.UUID // once it was proposed
	demoRead, otherRead := s.readUpTo()
	for i, line := range s.lines {
		at, sender, text := w.ago(line.ago), other, line.text
		seq, readUpTo := i+1, demoRead
		if text[0] == '>' {
			sender, text, readUpTo = demo, text[1:], otherRead
		}
		var readAt *time.Time
		if seq <= readUpTo {
			soon := at.Add(2 * time.Minute)
			readAt = &soon
		}
		text, paths, _ := strings.Cut(text, "|")
		kind, err := w.attach(sender, conversation, seq, paths, at)
		if err != nil {
			return sent, err
		}
		var messageDate *uuid.UUID
		if text == proposal || text == acceptance {
			if text == proposal {
				id := w.id(at)
				dateID = &id
			}
			kind, messageDate = "date", dateID
			text = w.plan(s.date, *dateID, conversation, sender, seq, at, text == acceptance)
		}
		sent.spoke[sender] = sent.spoke[sender] || kind == "audio"
		change := messageChanges[s.with][seq]
		w.messages = append(w.messages, append([]any{w.id(at), conversation, seq, sender, w.id(at), kind, text, at, readAt, messageDate},
			change.columns(sender == demo, text == "" && kind == "text", at, &sent.lastRev)...))
		sent.lastAt, sent.lastSender = &at, &sender
	}
	return sent, nil
}

// readUpTo returns the seqs of the last messages that the demo member and the other member have read.
func (s story) readUpTo() (demo, other int) {
	last := len(s.lines)
	return last - s.unread, last - s.unreadByOther
}

// attach adds files to a message, given as names separated by commas, and returns its
// type.
func (w *dataset) attach(sender, conversation uuid.UUID, seq int, paths string, at time.Time) (string, error) {
	kind := "text"
	if paths == "" {
		return kind, nil
	}
	for i, path := range strings.Split(paths, ",") {
		id, err := w.addFile(sender, path, at)
		if err != nil {
			return "", err
		}
		kind = w.sources[path].messageType()
		w.messageFiles = append(w.messageFiles, []any{id, conversation, seq, i})
	}
	return kind, nil
}

package seed

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"heartward/api/pulse"
)

var (
	pulseColumns   = []string{"id", "user_id", "date", "day_starts", "day_ends", "question", "mood", "reflection", "client_id", "edited_at", "created_at"}
	sharingColumns = []string{"user_id", "couple_id", "since"}
)

// reflections are what the members of the demo data write, by question.
var reflections = map[pulse.Question][]string{
	"What brought you joy today?": {
		"The dog next door has decided that I am family.", "Rain on the roof and nowhere to be.", "A letter on paper, with a stamp and a bad drawing.",
		"Laughed so hard at lunch that I had to put the fork down.", "The first light jacket evening of the year.",
	},
	"How did you show love to yourself today?": {
		"Went to bed when I was tired. Revolutionary.", "Said no, kindly, and did not explain it three times.", "Cooked for one as if for two.",
		"Left the phone at home and walked the long way.", "Booked the appointment I kept putting off.",
	},
	"What are you grateful for today?": {
		"A friend who calls instead of typing.", "Knees that still like stairs.", "My sister's voice messages, all nine minutes of them.",
		"The neighbor who took in the parcel and watered the basil.", "That the hard talk was only hard for ten minutes.",
	},
	"What is your intention for tomorrow?": {
		"To listen to the end of the sentence.", "One thing at a time, and then a walk.", "To write the first message, without rehearsing it.",
		"To be early, for once, and enjoy it.", "Ask a better question than how are you.",
	},
	"How did you connect with others today?": {
		"Sat with my father in the garden and named birds, mostly wrong.", "Long talk with the new colleague, about moving and missing.",
		"Told somebody that I liked their laugh.", "Wrote back properly instead of with a thumb.", "Choir. Nobody knew the alto part, so we all sang it.",
	},
	"When did you feel most alive today?": {
		"On the bike, downhill, no hands for a second.", "In cold water up to the shoulders.", "When the song came on in the supermarket and I danced with the cart.",
		"At six in the morning, alone with the coffee and the fog.", "In the middle of an argument about soup.",
	},
	"What challenged you to grow today?": {
		"Being told that I interrupt. It is true.", "Asking for help before it was urgent.", "A quiet evening without filling it.",
		"Letting somebody else choose the film.", "I was wrong, said so, and the roof stayed on.",
	},
}

// moodsOf are moods in the proportions in which the demo data has them.
var moodsOf = []pulse.Mood{"peaceful", "peaceful", "hopeful", "hopeful", "hopeful", "content", "content", "content", "energetic", "energetic",
	"passionate", "inspired", "inspired", "grateful", "grateful"}

const (
	demoStreak = 13  // the length of the demo member's streak in days, up to yesterday, so that today's question is open
	demoRest   = 4   // how many days ago the streak has its rest day
	pulseYear  = 366 // how many days ago the first entry can be
	shareDays  = 30  // how many days ago the couple began to share
)

// addPulses adds a year of entries of the demo member, and entries that a couple of graduates share.
func (w *dataset) addPulses(demo person) {
	random := rand.New(rand.NewPCG(2026, 13))
	zone := demoLocation()
	yearAgo := int(w.now.Sub(w.now.AddDate(-1, 0, 0)) / day)
	for ago := pulseYear; ago > 0; ago-- {
		inStreak := ago <= demoStreak && ago != demoRest
		if inStreak || ago == yearAgo || ago > demoStreak+2 && random.IntN(10) < 8 {
			w.addPulse(random, demo.id, ago, zone)
		}
	}
	sharing := graduates[0]
	for _, name := range []string{sharing.one, sharing.two} {
		member := w.mustFind(name)
		w.sharing = append(w.sharing, []any{member.id, w.coupleOf[member.id], w.ago(shareDays * day)})
		for ago := shareDays - 1; ago >= 0; ago-- {
			if ago < 4 || random.IntN(10) < 6 {
				w.addPulse(random, member.id, ago, zone)
			}
		}
	}
}

// addPulse adds a member's entry for the day that was a number of days ago. It was written on that evening, or now if the
// evening has not come.
func (w *dataset) addPulse(random *rand.Rand, member uuid.UUID, days int, zone *time.Location) {
	y, m, d := w.now.In(zone).Date()
	at := func(day, hour, minute int) time.Time { return time.Date(y, m, day, hour, minute, 0, 0, zone) }
	date := time.Date(y, m, d-days, 0, 0, 0, 0, time.UTC)
	written := at(d-days, 20, random.IntN(150))
	if written.After(w.now) {
		written = w.now
	}
	question := pulse.QuestionOf(date)
	texts := reflections[question]
	w.pulses = append(w.pulses, []any{w.id(written), member, date, at(d-days, 0, 0), at(d-days+1, 0, 0), string(question), string(moodsOf[random.IntN(len(moodsOf))]),
		texts[random.IntN(len(texts))], uuid.New(), written, written})
}

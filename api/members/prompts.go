package members

// PromptTopic is a topic with the questions that are suggested for it.
type PromptTopic struct {
	Topic     string              `json:"topic"`
	Questions []SuggestedQuestion `json:"questions"`
}

// SuggestedQuestion is a question of a prompt with an answer as an example.
type SuggestedQuestion struct {
	Question string `json:"question"`
	Example  string `json:"example"`
}

// promptTopics are suggestions. A member may also write another question, and keeps the
// text of one that is removed here.
var promptTopics = []PromptTopic{
	{"About me", []SuggestedQuestion{
		{"I feel most at home when", "The kettle is on and there is nowhere to be."},
		{"My friends would say that I", "Bring snacks to everything, even the movies."},
		{"Something I learned late", "You can leave a party without saying goodbye to all forty people."},
		{"I knew I had grown when", "I said no to a weekend away and slept instead."},
		{"The best advice I was ever given", "Ask one more question before you give your opinion."},
		{"A small thing I am grateful for", "The neighbor who waters my tomatoes."},
	}},
	{"Everyday", []SuggestedQuestion{
		{"A perfect slow morning", "Pancakes, the radio, and no plans before noon."},
		{"My ideal Sunday ends with", "Leftovers, a film we have both seen, and an early night."},
		{"My favorite kind of quiet", "Snow outside, soup on the stove."},
		{"A meal I cook for people I love", "My grandmother's dumplings. I make sixty; they are never enough."},
		{"A place I keep going back to", "A bench above the harbor, with a thermos."},
		{"The song I play on repeat", "“Dreams” by Fleetwood Mac, windows down."},
	}},
	{"Together", []SuggestedQuestion{
		{"Together we could", "Learn one dish from every street we have lived on."},
		{"I am looking for someone who", "Says what they mean, gently."},
		{"The way to my heart is", "Remembering what I said last Tuesday."},
		{"I feel loved when", "You save me the corner piece."},
		{"I show that I care by", "Turning up early, with coffee."},
		{"A tradition I would love to share", "A picnic on the first warm day, whatever else was planned."},
		{"In five years I hope we", "Still dance in the kitchen, in a bigger kitchen."},
	}},
	{"Fun", []SuggestedQuestion{
		{"Ask me about", "The summer I drove an ice cream truck."},
		{"I could talk for hours about", "Why every bridge in this city is where it is."},
		{"What makes me laugh until I cry", "Dogs that are surprised by their own sneeze."},
		{"A book or film that stayed with me", "“Paddington 2”. I will not be taking questions."},
		{"I changed my mind about", "Cilantro, camping, and my brother's taste in music."},
	}},
}

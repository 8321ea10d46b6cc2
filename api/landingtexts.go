package api

// siteText is a point of a public page.
type siteText struct{ Icon, Title, Text string }

// The texts of the landing pages. Each claim holds today; a new one is added with its feature.
var (
	landingFeatures = []siteText{
		{"messages-square", "Multi-Way Communication", "Text, voice, video and pictures, with replies and reactions. You can read and write offline too."},
		{"heart-handshake", "Intelligent Matching", "Intentions first, then lifestyle, distance and age. Every score says why."},
		{"map-pinned", "Safety First", "You share a town, never your location. Your photos are seen by members only."},
		{"award", "Achievement System", "Badges for finishing your profile, good conversations and friends you bring. No counters that nag."},
		{"users", "Supportive Community", "Everyone accepts the Honor Code, and you can block or report from every profile and conversation."},
		{"hand-heart", "Always Free", "Every message to a match is free, and nothing is sold. No credit card, ever."},
	}
	landingSteps = []siteText{
		{"", "Create Your Profile", "A few honest lines and the intentions you date with."},
		{"", "Get Smart Matches", "A short, ranked deck instead of endless swiping."},
		{"", "Start Conversations", "When you like each other, the conversation opens."},
		{"", "Build Real Connections", "Take your time. That is what this place is for."},
	}
	landingQuestions = []siteText{
		{"", "Is it really free?", "Yes. There is nothing to buy, and every message to a match is free."},
		{"", "How does matching work?", "Forty percent of a score is your intentions, thirty your lifestyle, twenty the distance between your towns and ten your ages. You can read the reasons behind every score."},
		{"", "Is my information safe?", "Other members never see your email address, your birth date or more than your town. Signing out removes everything from the device."},
		{"", "What is different here?", "No endless swiping and nothing for sale. You say what you are looking for, see why someone fits, and talk for as long as you like."},
		{"", "Can I use voice and video?", "Yes. Send voice notes of up to a minute and videos of up to 30 seconds, and add a greeting in your own voice or on video to your profile."},
	}
	landingDifferent = []siteText{
		{"heart-handshake", "Intentions first", "You say what you date for. People who want the same come first, and every score says why."},
		{"hand-heart", "Nothing for sale", "Nobody pays to be seen more often, so nobody is pushed in front of you."},
		{"map-pinned", "Private by design", "A town instead of a position, photos for members only, and your data to download or delete."},
	}
	landingSafeguards = []siteText{
		{"badge-check", "Profile Verification", "A member sends a selfie in a pose we ask for, and a person compares it with the photos. It ends when the first photo, the name or the birth date changes."},
		{"messages-square", "Message Monitoring", "A program on our server asks “Are you sure?” before a message that reads as rude or about money. People, not programs, decide what follows."},
		{"gauge", "Rate Limiting", "At most 100 likes and 10 first messages a day. It is the same for everyone, and it keeps spam out."},
		{"flag", "Report System", "Report from every profile and conversation. A person reads it, and you learn whether action was taken."},
	}
	landingExperience = []siteText{
		{"", "Quality over quantity", "A deck that ends. When there is nobody new, we say so instead of showing the same faces again."},
		{"", "Talk the way you talk", "Write, record a voice note, send a video. It works on a train without a signal, and is sent later."},
		{"", "Made for a good ending", "Couples graduate: both leave dating together, and their words may stay on the Legacy Wall."},
	}
)

// siteScreen is a picture of the product, made by pwa/e2e/bench/site.bench.ts in both brightnesses.
type siteScreen struct {
	Name, Title, Text, Alt string
	Width, Height          int
}

var landingScreens = []siteScreen{
	{"for-you", "One person at a time", "With the reason why you might fit.", "For You: the card of one person with photo, age, town and intentions", 480, 960},
	{"conversation", "Room to talk", "Voice, video, pictures, and plans for a date.", "A conversation with a date that both agreed to, and ticks for read", 480, 960},
	{"discover", "See why someone fits", "Filters that you can read, and a score with its parts.", "Discover: people in a grid with the compatibility of each", 480, 960},
}

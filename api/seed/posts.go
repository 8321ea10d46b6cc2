package seed

import "time"

// posts are the posts of the community board.
var posts = []post{
	{by: "Admin", category: "blog", ago: 2 * day, picture: "scenes/banner-dawn", likes: 31,
		title:   "Welcome to the board",
		excerpt: "What this place is for, who reads your story before it appears, and what we will never ask you to pay for.",
		content: `Heartward began with a simple wish: a place to date where nobody is for sale.

This board is the part of it that is not about profiles. It is where we tell each other how it went.

### What belongs here

- **Stories**: how you met, how you waited, how you began again.
- **Advice**: what you would tell a friend over the kitchen table.
- **Experience**: a first date, a hard talk, a good goodbye.

A moderator reads each story before it is published, usually within a day. If we cannot publish one, we tell you why, and you can change it and send it again.

> Write as if the person you are writing about will read it. Some day they might.

Please leave out names, addresses and anything that would let a stranger find somebody.

With love,
the people behind Heartward`,
		comments: []comment{
			{by: "Maya", after: 3 * hour, text: "“A place where nobody is for sale.” I read that twice. Thank you.", replies: []comment{
				{by: "Elijah", after: 40 * time.Minute, text: "Same. I sent it to my sister, who is more tired of apps than anyone I know."},
			}},
			{by: "Clara", after: 9 * hour, text: "Are longer stories all right? Mine has an owl in it and owls take time.", replies: []comment{
				{by: "Admin", after: hour, text: "Owls may take all the time they need. There is room for 20,000 characters."},
				{by: "Clara", after: 20 * time.Minute, text: "The owl is pleased."},
			}},
		}},
	{by: "Admin", category: "blog", ago: 16 * day, picture: "scenes/tea", likes: 22,
		title:   "Five ways to stay safe on a first date",
		tags:    []string{"first dates", "safety"},
		excerpt: "Small habits that cost nothing and make a first meeting easier for both of you.",
		content: `Most first dates are lovely, or at least a decent story. These habits keep it that way.

1. **Meet where other people are.** A café, a market, a well-lit park.
2. **Tell a friend.** In a conversation you can plan the date and share it by a link, which ends by itself.
3. **Get there on your own**, and keep the way home in your own hands.
4. **Keep your money yours.** Nobody who likes you needs a gift card before Tuesday.
5. **Leave when you want to.** You do not owe anyone an explanation.

If something felt wrong, report it. A person reads it, and we do not say who it was from.`,
		comments: []comment{
			{by: "Imani", after: 5 * hour, text: "Number five should be printed on every coffee cup."},
			{by: "Marcus", after: 30 * hour, text: "I share my dates with my brother. He answers with one thumb, and somehow that is enough."},
		}},
	{by: "Hannah", category: "community-story", ago: 6 * hour, picture: "scenes/trail", likes: 9,
		title:   "We walked for three hours and forgot to take a picture",
		tags:    []string{"first dates", "slow mornings"},
		excerpt: "I had planned a coffee. He had planned a coffee. Neither of us had planned the river.",
		content: `The café was closed. There was a note on the door: *back when the baby sleeps*.

So we walked. First around the block, then along the river, then over the bridge because the light was doing something on the other side. We talked about our grandmothers for so long that I now know a stranger's recipe for plum soup.

At some point I noticed that I had not thought about how I looked for an hour.

I do not know yet what this is. I only wanted to write down that it happened, while it is still small enough to hold.`,
		comments: []comment{
			{by: "Grace", after: hour, text: "“Small enough to hold.” Oh.", replies: []comment{
				{by: "Hannah", after: 30 * time.Minute, text: "It is slightly bigger today. Do not tell anyone."},
			}},
			{by: "Owen", after: 2 * hour, text: "We need the plum soup."},
		}},
	{by: "Elijah", category: "experience", ago: 30 * hour, likes: 17,
		title:   "What baking taught me about the second date",
		tags:    []string{"second dates", "food"},
		excerpt: "You cannot hurry dough, and you cannot leave it on the counter for a week either.",
		content: `I get up at four to make croissants, so I have opinions about patience.

On a first date I used to do everything at once: every story, every joke, the whole tray. Then I wondered why the second date felt flat. There was nothing left to rise.

Now I keep one thing back. Not as a trick; I just stop while it is still good and say so: *I'd like to hear the rest of that next time.*

It turns out that "next time" is the nicest thing you can say to someone. It has a door in it.

What I would tell my younger self:

- Folding is not rushing.
- Rest is part of the recipe.
- If it sticks, you need more flour, not more force.`,
		comments: []comment{
			{by: "Maya", after: 2 * hour, text: "“It has a door in it.” I am stealing this for life."},
			{by: "Demo", after: 6 * hour, text: "I stopped a date at its best moment last week and felt like a fool on the bus. Now I feel slightly less like one.", replies: []comment{
				{by: "Elijah", after: hour, text: "The bus is where it rises."},
				{by: "Priya", after: 3 * hour, text: "Please report back. We are all on this bus now."},
			}},
		}},
	{by: "Ruth", category: "advice", ago: 3 * day, picture: "scenes/reading", likes: 26,
		title:   "Dating at sixty: ask the real question earlier",
		tags:    []string{"dating after sixty", "first messages"},
		excerpt: "I have buried a husband and raised three children. I do not have time for favorite colors.",
		content: `My granddaughter helped me with the profile. I did the rest.

Here is what I have learned in a year of it. **Ask the real question earlier.** Not on the first evening, and never like an exam. But before you have bought a second toothbrush.

My three:

1. What do you do when you are angry?
2. Who do you call when something good happens?
3. What did the last person who loved you get wrong about you?

The third one is the best. You learn how they talk about someone who is not in the room.

And if the answer is "I don't know", that is a fine answer. I married a man who said that. It took him four years and he came back with a good one.`,
		comments: []comment{
			{by: "Noah", after: 4 * hour, text: "I asked the second one last night. We talked until the waiter put the chairs up."},
			{by: "Walter", after: 20 * hour, text: "Sixty-four here. I printed this and it is on the fridge.", replies: []comment{
				{by: "Ruth", after: 2 * hour, text: "Then it is in good company. Mine has a drawing of a horse that looks like a sofa."},
			}},
		}},
	{by: "Tomás", category: "community-story", ago: 5 * day, likes: 14,
		title:   "I said I was nervous, and she said: good",
		tags:    []string{"first dates", "nerves"},
		excerpt: "The shortest sentence of the evening was the one that made the rest possible.",
		content: `I had rehearsed. I had a funny story about a ladder.

When she sat down I forgot the ladder and said, "I'm quite nervous, sorry." She put down the menu and said: "Good. Me too. Now we have something in common."

We never got to the ladder. We got to how her father taught her to drive in a cemetery because the roads there are quiet and no one honks.

I am writing this for whoever is rehearsing tonight. Take the story with you if you like. But you may leave it in your coat.`,
		comments: []comment{
			{by: "Leila", after: 7 * hour, text: "I would still like to hear about the ladder.", replies: []comment{
				{by: "Tomás", after: 5 * hour, text: "There was a cat. It is always a cat."},
			}},
		}},
	{by: "Priya", category: "advice", ago: 7 * day, likes: 19,
		title:   "How to end things kindly after two dates",
		tags:    []string{"endings", "second dates"},
		excerpt: "Three sentences, sent before noon. You do not need a reason, and neither do they.",
		content: `I used to disappear. I told myself it was gentle. It was not; it was only quiet.

This is what I send now:

> I enjoyed meeting you, and I don't feel the spark I'm looking for. I wanted to say it rather than go quiet. I wish you a good summer.

Three sentences. No list of faults, no "maybe later", no question at the end.

People answer with surprising grace. One wrote *thank you for not making me guess*. I think about that a lot.`,
		comments: []comment{
			{by: "Sam", after: 3 * hour, text: "I got one of these once. It stung for an evening and then it was over, which was a present."},
			{by: "Nora", after: 26 * hour, text: "Saved. The summer is optional, I assume.", replies: []comment{
				{by: "Priya", after: hour, text: "You may wish them a good February if you mean it."},
			}},
		}},
	{by: "Daniel", category: "experience", ago: 9 * day, picture: "scenes/kitchen", likes: 12,
		title:   "Cooking together is a better date than eating out",
		tags:    []string{"food", "date ideas"},
		excerpt: "You find out how someone handles smoke.",
		content: `We had met twice in restaurants and both times it felt like two people reading out their own menus.

For the third date we cooked. I burned the onions. She opened a window, looked into the pan and said, "They've got character." Then she showed me how her aunt does it, with water, slowly, like telling a secret.

What you learn in a kitchen:

- whether someone can share a small space,
- whether they clean as they go,
- whether a mistake is a disaster or a story.

A tip: **choose a dish neither of you knows.** It is easier to be on the same side of a problem.`,
		comments: []comment{
			{by: "Rosa", after: 10 * hour, text: "“They've got character” is exactly what I want someone to say about me."},
		}},
	{by: "Imani", category: "community-story", ago: 12 * day, likes: 21,
		title:   "After the divorce I waited two years. I'm glad I did",
		tags:    []string{"starting over"},
		excerpt: "Everyone had advice about getting back out there. Nobody mentioned how good it is in here.",
		content: `For the first year I was furious with anyone who said "plenty of fish".

In the second I learned to eat alone in a restaurant with a book, and then without the book. I painted a room a color he would have hated. I found out that I like mornings.

When I finally made a profile I wrote it in ten minutes, because for the first time I knew what was in it.

If you are in the first year: *nothing is late.* The train you are afraid of missing is a bus, and there is another one.`,
		comments: []comment{
			{by: "Dana", after: 6 * hour, text: "I am in the first year. I needed this today."},
			{by: "Theo", after: 9 * hour, text: "What color was the room?", replies: []comment{
				{by: "Imani", after: 50 * time.Minute, text: "The yellow of an egg yolk. It looks like breakfast in there all day."},
			}},
		}},
	{by: "Marcus", category: "advice", ago: 20 * day, likes: 15,
		title:   "Write the bio last",
		tags:    []string{"profiles"},
		excerpt: "Answer the prompts, choose the photos, and only then try to say who you are in a thousand characters.",
		content: "I teach writing, and I was terrible at this.\n\nThe mistake is to start with the summary. Start with the particulars instead:\n\n1. Pick the photo in which you are *doing* something.\n2. Answer a prompt with a scene and not an opinion.\n3. Record the voice answer in one take. Keep the laugh.\n\nThen read it all and ask what is missing. That is your bio. It is usually two sentences.\n\n~~I love travel and good food.~~ I can name every bakery within a mile of my house, and which day to go.",
		comments: []comment{
			{by: "Yuki", after: 12 * hour, text: "The crossed-out line was my bio until ten minutes ago."},
		}},
	{by: "Leila", category: "experience", ago: 24 * day, picture: "scenes/harbor", likes: 11,
		title:   "Long distance for eight months: what actually helped",
		tags:    []string{"long distance"},
		excerpt: "It wasn't the calls. It was knowing what the other one had for lunch.",
		content: `We were two hundred miles apart and both proud of being independent. That lasted until the first week with no news.

What helped:

**Small things, daily.** A photo of a sandwich says more than a weekly report.

**A date in the calendar.** Not "soon". The 14th, the 9.40 train.

**One hard talk a month, on purpose.** So that none of them had to happen by accident at midnight.

**Separate evenings.** We each kept one for our own friends and never once felt guilty.

We live in the same town now. I still send pictures of sandwiches.`,
		comments: []comment{
			{by: "Kai", after: 8 * hour, text: "The hard talk on purpose is genius. We would have skipped two breakups."},
		}},
	{by: "Walter", category: "community-story", ago: 31 * day, likes: 28,
		title:   "My dog chose her",
		tags:    []string{"dogs", "first dates"},
		excerpt: "He has never liked anyone's shoes before.",
		content: `Biscuit is eleven and does not care for strangers. He barked at the last two people I brought to the park, and I trusted him more than he deserved.

She arrived with a bag of oranges and no dog treats at all. Biscuit walked up, sighed, and lay down on her left shoe. He stayed there for an hour. She did not move her foot once.

"My leg's asleep," she said when we left, "but I didn't want to be rude."

That is the whole story. I thought you should know that there are people who let their leg fall asleep.`,
		comments: []comment{
			{by: "Grace", after: 2 * hour, text: "I have never been so moved by a foot."},
			{by: "Ruth", after: 5 * hour, text: "Marry the shoe."},
			{by: "Jonah", after: 40 * hour, text: "Please give Biscuit an orange. No, wait, please ask a vet."},
			{by: "Theo", after: 44 * hour, flag: "off_platform", text: "I have the same dog. Add me on WhatsApp and I'll send you pictures of his shoes."},
		}},
	{by: "Nora", category: "advice", ago: 38 * day, likes: 8,
		title:   "Three questions before you move in together",
		tags:    []string{"moving in"},
		excerpt: "We wrote our answers on paper first and then swapped. It took one evening and saved us a year.",
		content: `1. **What is a clean kitchen?** Describe it. You will be amazed.
2. **How much of your day do you need to be alone, and how will I know?**
3. **What happens to the money?** All of it, some of it, none of it. With numbers.

We disagreed on every one of them. That was the point: we disagreed on a Tuesday, with tea, and not on a Sunday with a van outside.`,
		comments: []comment{
			{by: "Caleb", after: 15 * hour, text: "Question one nearly ended us and we are both adults with jobs."},
		}},
	{by: "Kai", category: "experience", ago: 45 * day, picture: "scenes/summit", likes: 13,
		title:   "I told him about my depression on the fourth date",
		tags:    []string{"hard talks"},
		excerpt: "I was more afraid of that sentence than of the climb we did the same morning.",
		content: `We were at the top, out of breath, and it seemed like a place where you could say things.

I said that some winters are hard, that I take medication, and that I know what to do when it comes. I kept it to that. It is true and it is enough.

He was silent for a moment and then asked, "What should I do, in winter?" Not *what's wrong*. What should I do.

If you carry something like this: you choose when, and how much. You are not hiding it by waiting until you trust someone. And if you are having a hard time right now, please talk to someone today. You deserve company in it.`,
		comments: []comment{
			{by: "Simone", after: 3 * hour, text: "“What should I do, in winter?” I would like that on a ring."},
			{by: "Emma", after: 9 * hour, text: "Thank you for writing it so plainly. I am going to borrow your sentence."},
		}},
	{by: "Demo", category: "experience", ago: 11 * day, likes: 7,
		title:   "A month without a single “how was your day?”",
		tags:    []string{"first messages"},
		excerpt: "I banned my own favorite opener, and my conversations got stranger and better.",
		content: `It started as a bet with a friend.

Instead I asked things like *what did you nearly buy today?* and *which song is stuck?* Some people were puzzled. Most were delighted.

The best answer was to *what made you late?*: "A heron. It was standing on a car and nobody wanted to honk."

I have gone back to asking about days now and then. But I keep the heron in mind.`,
		comments: []comment{
			{by: "Maya", after: 4 * hour, text: "What did you nearly buy today?", replies: []comment{
				{by: "Demo", after: hour, text: "A second umbrella, out of optimism."},
			}},
			{by: "Yuki", after: 22 * hour, text: "Herons have the right of way. It is in the code."},
		}},
	{by: "Demo", category: "community-story", ago: 5 * hour, status: "pending",
		title:   "The corner piece",
		tags:    []string{"food", "small things"},
		excerpt: "Someone saved me the best part of something, and I have been thinking about it all week.",
		content: `There is a bakery that opens at six. I was there at five to seven, which is late, and everything good was gone.

Except that it was not. There was a small paper bag behind the counter with my name on it, misspelled.

I do not think love is grand, most days. I think it is a corner piece in a paper bag.`},
	{by: "Demo", category: "advice", ago: 18 * day, status: "rejected",
		reason:  "We love the idea. Please leave out the full name and the workplace of the person you write about, and send it again.",
		title:   "How to be a good second choice of café",
		excerpt: "Notes from a date that was moved three times.",
		content: `We were going to meet at the place by the station. Then at the place by the park. In the end we met where she works, which I will describe so that you can find it too.

What I learned: **the place does not matter, the chairs do.** Sit where you can both see the door and neither has to look at it.`},
	{by: "Walter", category: "advice", ago: 52 * day, likes: 12,
		title:   "How to say no without a speech",
		tags:    []string{"kindness"},
		excerpt: "I used to write a page. Now I write two lines, and people write back to thank me.",
		content: `For years I explained. I explained the distance, the timing and the bees. By the end of it nobody knew what I had said, least of all me.

Now it is two lines: *I enjoyed the walk. I do not feel what I would need to feel to go on, and I wanted to tell you rather than go quiet.*

Three people thanked me. One said it was the first clear answer she had had since spring.`,
		comments: []comment{
			{by: "Ruth", after: 6 * hour, text: "Clear is kind. The bees may stay."},
		}},
	{by: "Walter", category: "experience", ago: 66 * day, likes: 10,
		title:   "My first video call",
		tags:    []string{"first dates"},
		excerpt: "Mostly she met my ceiling. It went better than you would think.",
		content: `I put on a good shirt. I put the telephone on the fruit bowl, as my grandson had shown me, and for ten minutes a very patient woman talked to my lamp.

"You have a fine lamp," she said. "Is there a person with it?"

I have since learned where the lens is. But I think it helped that the worst had already happened, and that we had laughed about it before I had said a word.`,
		comments: []comment{
			{by: "Yuki", after: 5 * hour, text: "I would date the lamp."},
		}},
}

package guard

import "strings"

// rules are phrases that hardly ever mean well in a conversation of two people
// who may meet. {a|b|} stands for one of several or nothing. They are written
// as words.go leaves words: no apostrophes, "you" for "u".
var rules = map[string][]string{
	Harassment: {
		"{fuck|screw} you", "go fuck yourself", "go to hell", "go die", "kill yourself", "kys", "drop dead", "hope you die", "hope you {get|catch} {cancer|hurt}",
		"you {are|} {a|such a|so|an|just a|nothing but a|} {bitch|whore|slut|cunt|skank|retard|asshole|piece of shit|piece of trash|fat pig|fat cow|fat ass|stupid bitch|dumb bitch|ugly bitch|worthless|pathetic}",
		"your {a|such a|so|an|just a|nothing but a|} {bitch|whore|slut|cunt|skank|retard|asshole|piece of shit|piece of trash|fat pig|fat cow|stupid bitch|dumb bitch|worthless|pathetic}",
		"{stupid|dumb|ugly|fat|fucking|crazy|lying|stuck up|little|old|disgusting} {bitch|whore|slut|cunt|skank|hag}", "shut {up|the fuck up} {bitch|whore|slut}",
		"ill {find|hurt|kill|beat|hit|slap|ruin} you", "i will {find|hurt|kill|beat|hit|slap|ruin} you", "im going to {hurt|kill|beat|hit|slap|ruin} you", "im gonna {hurt|kill|beat|hit|slap|ruin} you",
		"i know where you {live|work|sleep}", "you will regret {this|it|ignoring me}", "youll regret {this|it|ignoring me}", "you deserve to {die|be alone|get hurt|suffer}",
		"nobody {will|would} {ever|} {love|want|date|touch} you", "no one {will|would} {ever|} {love|want|date|touch} you", "Finger you",
		"{eres|} una {puta|perra|zorra}", "hijo de puta", "vete a la mierda", "te voy a {matar|encontrar|pegar}",
	},
	SexualPressure: {
		"send {me|} {some|your|a|more|} {nudes|nude|naked pic|naked pics|nude pic|nude pics|sexy pic|sexy pics|topless pic|dirty pics|titty pic|bikini pics|underwear pics}",
		"show me {your|those|them} {tits|boobs|ass|pussy|body|naked body|breasts|cock|dick}", "send me {your|those|} {tits|boobs|ass|pussy}",
		"{want|wanna} {to|} see {my|a|this} {dick|cock}", "{suck|lick|ride|sit on} my {dick|cock|face|balls}", "{dick|cock} pic for you", "take {off|it off} your {clothes|top|shirt|panties|bra}",
		"i {want|wanna|need} {to|} {fuck|bang|rail|pound} you", "ill {fuck|bang|rail|pound} you", "gonna {fuck|bang|rail|pound} you", "{wanna|want to|lets|down to|dtf|can we|can i} {fuck|bang|hook up tonight|have sex|get laid}", "dtf",
		"you owe me {sex|a kiss|nudes|some fun|a pic|a blowjob|head|something for it}", "if you {really|} {loved|liked|trusted|cared about} me {you would|youd} {send|show|sleep|do it|have sex|let me}",
		"{are you|you} {horny|wet|naked}", "what are you wearing under", "how {big|tight} {are your|is your} {boobs|tits|ass|pussy}", "touch yourself for me",
		"come over {and|for} {fuck|sex|head|strip}", "i paid for dinner so you", "dont be a {prude|tease}", "stop being {a|such a} {prude|tease}",
		"{manda|mandame|envia|enviame} {tus|unos|una|} {nudes|fotos desnuda|foto desnuda|pack}", "quiero {follarte|cogerte}", "muestrame tus {tetas|pechos}",
	},
	Money: {
		"{send|wire|lend|loan|transfer|venmo|zelle|cashapp|paypal} me {some|the|a little|} {money|Amount|cash|funds}", "send {me|} {a|an|some|} {gift card|gift cards|itunes card|steam card|amazon card|google play card|apple card|steam cards}",
		"{buy|get} me {a|an|some|} {gift card|gift cards|itunes card|steam card|amazon card|google play card|apple card|steam cards}",
		"{can|could} you {spot|wire|cashapp|venmo|zelle} me", "{can|could} you {lend|loan} me {some|a little|} {money|Amount|cash}", "{can|could} you {lend|loan} me {a|} {Number|few|couple} {hundred|Amount|bucks|dollars|euros}", "can you help me with {money|some money|my rent|my bills|Amount|a small amount}", "could you help me with {money|some money|my rent|my bills|Amount|a small amount}",
		"{western union|moneygram|money gram}", "my {cashapp|cash app|venmo|zelle|paypal|wallet address|cash tag|cashtag} is", "invest {with|through} {me|my}", "guaranteed {profit|profits|returns|return}", "double your {money|bitcoin|investment|crypto}",
		"{bitcoin|crypto|forex|usdt} {investment|trading platform|mentor|wallet|platform}", "i {promise to|swear ill|swear i will} pay you back", "sugar {daddy|mommy|mama|baby allowance}", "{weekly|monthly} allowance",
		"i need money for", "i need {some money|Amount} {for|to|by|urgently|today}", "scan the {code|back} of the card", "front me {some|the|} {money|Amount|cash}",
		"{prestame|mandame|enviame|transfiereme} {dinero|plata|algo de dinero}", "necesito dinero para", "tarjetas de regalo",
	},
	OffPlatform: {
		"{add|text|message|hit|msg|dm|find|write|reach|contact|follow} me {up|} on {my|} {whatsapp|telegram|instagram|snapchat|kik|signal|wechat|line|hangouts|google chat|viber|facebook|discord|tiktok|google hangouts}",
		"{lets|can we|we should|wanna|want to|we could|shall we} {move|talk|chat|switch|go|continue|text} {this|} {to|on|over to|over on} {whatsapp|telegram|instagram|snapchat|kik|signal|wechat|line|hangouts|google chat|viber|discord}",
		"{my|add my} {whatsapp|telegram|instagram|snapchat|kik|signal|wechat|snap|viber|discord|hangouts} {is Handle|is Phone|is Number|number is|handle is|username is|id is|number Phone|Phone|Handle}", "{whatsapp|telegram|viber|signal} {number|me|me at|me on} Phone", "{text|call|whatsapp|message|reach|write|ring} me {at|on|here|} {Number|} {Phone|Mail}",
		"my {number|cell|mobile|phone number|digits|email|mail} is {Number|Mail|Phone}", "heres my {number|cell|whatsapp|snapchat|instagram|telegram|email}", "here is my {number|cell|whatsapp|snapchat|instagram|telegram|email}",
		"{give|send} me your {number|phone number|whatsapp|snapchat|instagram|telegram|email|mail|digits|cell}", "{whats|what is} your {phone number|cell number|whatsapp|snapchat|instagram|telegram|snap|email}", "{can i|could i|may i} {have|get} your {number|phone number|whatsapp|snapchat|instagram|telegram|digits|email}",
		"do you have {whatsapp|telegram|snapchat|kik|instagram|wechat}", "{im|i am} {hardly|rarely|barely|never|not often|not much|not really|not always} on {here|this app|this site|this}", "my subscription {ends|expires|is ending|is about to}",
		"{escribeme|agregame|hablame|buscame} {al|por|en} {mi|} {whatsapp|telegram|instagram|snapchat}", "{mi|este es mi} {numero|whatsapp|telegram} es", "{pasame|dame} tu {numero|whatsapp|instagram|telegram}",
	},
	Spam: {
		"{check|click} {out|} {my|this|the} {link|site|website|page|channel|onlyfans|profile link|link below|link in my bio}", "{subscribe|sub} to my", "{follow|join} my {page|channel|onlyfans|fanpage|group}", "link in {my|} {bio|profile}", "click {here|below|the link} {to|for|and}", "my onlyfans", "promo code", "discount code", "use {my|the} code",
		"{free|limited} {trial|offer|gift|spots|bonus}", "limited time", "{sign|signup} up {here|now|with my|through my|at Address}", "work from home", "earn {up to|} Amount", "make Amount {a|per} {day|week|hour|month}", "{passive|extra} income", "dm for {rates|prices|info|promo|collab}", "cheap {followers|viagra|meds|watches}", "100 {free|real|legit}",
		"{verify|confirm} your {account|identity} {here|at|on|by}", "you have {won|been selected}", "youve {won|been selected}", "haz clic {aqui|en}", "gana dinero",
	},
}

// longestRule is how many words a phrase has at most.
const longestRule = 10

// phrases are the rules by their words' hashes taken together, and ends the
// last words of all of them: most words end none, and are done with.
var phrases, ends = compile()

func compile() (map[uint64]int8, map[uint32]struct{}) {
	byHash, last := map[uint64]int8{}, map[uint32]struct{}{}
	for i, category := range Categories {
		for _, rule := range rules[category] {
			for _, phrase := range Expand(rule) {
				words := strings.Fields(phrase)
				if len(words) == 0 || len(words) > longestRule {
					panic("guard: a rule of no words or too many: " + rule)
				}
				var sum uint64
				for j := len(words) - 1; j >= 0; j-- {
					sum = chain(sum, hashOf([]byte(words[j])))
				}
				byHash[sum] = int8(i)
				last[hashOf([]byte(words[len(words)-1]))] = struct{}{}
			}
		}
	}
	return byHash, last
}

// chain takes the word before those that sum stands for to them.
func chain(sum uint64, word uint32) uint64 { return (sum + uint64(word) + 1) * 0x9e3779b97f4a7c15 }

// Expand writes out all that a text with {a|b|} stands for.
func Expand(text string) []string {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return []string{strings.Join(strings.Fields(text), " ")}
	}
	end := open + strings.IndexByte(text[open:], '}')
	if end < open {
		panic("guard: a { without its }: " + text)
	}
	var all []string
	for choice := range strings.SplitSeq(text[open+1:end], "|") {
		all = append(all, Expand(text[:open]+choice+text[end+1:])...)
	}
	return all
}

// excuses are words that, shortly before a phrase, mean that it is told,
// denied or warned of rather than said.
var excuses = func() map[uint32]struct{} {
	all := map[uint32]struct{}{}
	for _, word := range strings.Fields(`dont never not no didnt doesnt wont wouldnt shouldnt cant without nobody asked asking asks told tells
		said says saying called calling calls scammer scammers scam someone somebody people guys men women ex he she they who stranger strangers
		him her movie film song lyrics lyric line quote scene book character yelled shouted screamed when nunca nadie dijo`) {
		all[hashOf([]byte(word))] = struct{}{}
	}
	return all
}()

// excuseReach is how many words before a phrase are looked at for an excuse.
const excuseReach = 4

package guard

import "strings"

// kinds are words that do the same in a sentence. "You are a muppet" and "du
// bist ein idiot" share hardly a letter, yet both call the other something: the
// model learns once what a kind beside a kind means. A word may be of several
// kinds, and being of one says nothing bad of it.
var kinds = [...]string{
	// Who speaks of whom.
	`you your yours yourself thy u ur youre youve youll du dich dir dein deine deinen deiner deinem bist te tu tus tes ti toi ton ta vos eres sos contigo voce vc teu tua seu sua`,
	`i im ill id ive me my mine myself ich mir mich mein meine meinen meiner je j moi mon ma mes yo mi mis eu meu minha conmigo`,
	`we us our ours lets wir uns unser nous notre nosotros nuestro vamos nossa gente`,
	`he she they him her his them their someone somebody everyone guy ex stranger friend sister brother mom mum dad boss er jemand il elle mec ella alguien tipo ele ela coworker neighbor grandma aunt uncle cousin roommate therapist villain`,
	`said says saying told tells called calls asked asks wrote yelled texted messaged whispered reported blocked unmatched dijo pidio genannt gesagt gefragt traitee demande disse pediu chamou threatened`,
	`no not dont never didnt doesnt wont wouldnt cant couldnt shouldnt isnt arent wasnt rather without nicht kein keine nie ne pas jamais nao nunca stop`,
	`women men girls guys females males people man woman girl boy sort type foreigners immigrants muslims jews blacks asians mexicans gays trans frauen manner femmes hommes mujeres hombres mulheres homens`,
	// Names, and what goes with them.
	`ugly stupid dumb pathetic worthless disgusting fat gross boring desperate trash garbage useless hideous dirty filthy cheap fake crazy insane mental sick slow clueless ridiculous miserable bitter old lazy selfish
		lying psycho creepy revolting vile nasty embarrassing basic wrinkled bald hasslich habliche hablich dumm dumme dummer fett fettes widerlich krank peinlich wertlos moche nulle grosse laide degoutante pathetique fea feo gorda gordo
		estupida estupido asco ridicula patetica tonta burra feia nojenta ridicula basura lixo merde`,
	`bitch whore slut cunt skank asshole hag cow pig loser idiot moron freak creep liar scum rat clown coward imbecile filth disgrace repulsive miststuck retard cunts hoe thot tramp witch snob parasite animal trash weirdo worm ape snake fraud failure jerk
		schlampe kuh hurensohn arschloch opfer schwein fotze idiotin trottel salope connasse connard conne pute con vache puta perra zorra pendejo imbecil cerda vadia vagabunda vaca merda desgracado puto cabron`,
	`fuck fucking fucked shit damn hell wtf piss screw bloody crap bullshit fick fresse maul verpiss gueule foutre nique mierda chinga joder foder foda caralho porra cu`,
	`face nose teeth skin hair weight diet mirror belly chin forehead looks body profile personality brain smell gesicht nase zahne visage nez cara nariz dientes rosto`,
	`kill hurt beat punch slap hit choke strangle smash stab find hunt follow destroy ruin expose regret suffer rot die dead burn jump disappear watching pay revenge consequences careful hide umbringen schlag finde fertig
		tuer frapper retrouver matar golpear encontrar arrepentir pagar bater achar acabar crever morir muerete morre`,
	`address live lives street house home door window car work gym office family husband wife kids mother boss outside wohnst habites vives mora casa`,
	`screenshots screenshot secrets photos everyone everybody reputation career police expose post posting internet wall know knows found saw saved parked park`,
	`alone lonely single nobody noone love loved want wants wanted date marry touch left dumped cheated miss unloved allein sola solo seule personne nadie ninguem keiner`,
	`beautiful cute lovely sweet pretty funny gorgeous adorable amazing great nice good smart kind charming handsome wonderful best lovely happy proud glad schon suss lieb toll belle beau adorable jolie linda lindo hermosa bonita guapa querida`,
	// Bodies.
	`tits boobs breasts breast ass pussy dick cock penis nipples butt booty balls thighs lips bobs cunny clit dicks asses titten brust arsch schwanz muschi seins fesses bite chatte cul tetas culo pechos polla verga bunda peitos pau buceta Eggplant`,
	`sex fuck fucking fucked bang banging horny cum cumming suck lick ride blowjob handjob bj head anal oral orgasm masturbate jerk jerked finger fingering moan moaner threesome sext sexting porn kinky hookup smash pound rail hard wet
		erection virgin condom naughty dirty fuckable turned ficken bumsen geil feucht sexo baiser coucher mouillee jouir lecher follar coger cogerte follarte mojada cachonda chupar transar comer gozar gostosa tesao Eggplant`,
	`naked nude nudes clothes shirt top panties bra underwear lingerie dress skirt undress strip stripped topless bikini towel pants shower skin nackt nacktbild nacktfoto nacktfotos ausziehen zieh unterwasche nue nues deshabille desnuda
		ropa quitate pelada roupa tanga`,
	`bed tonight hotel room place sleep over night knees lap couch bett heute nacht lit soir cama noche noite quarto`,
	`send sends sending show shows give share post gimme drop snd shoot trade upload schick schicke zeig sende envoie envoyer montre manda mandame enviame muestrame pasame pasa envia mostra`,
	`pic pics selfie selfies video videos cam camera snap photo foto fotos bild bilder image footage`,
	`just only one little come cmon please relax promise secret delete quick peek trust innocent shy prude tease difficult frigid scared pretend play bitte komm allez dale anda vai porfa vamos`,
	`owe deserve expect prove serious expected should must duty obligation reward return loved trusted cared waiting waited weeks months dates`,
	`hot sexy horny naughty dirty wild rough kinky loud submissive dominant tight flexible experienced sensual hottie daddy slave toy slut freaky spicy turned aroused chaude excitee caliente cachonda heis heib safada`,
	`touch taste kiss feel grab squeeze hold see watch look stroke rub spread open bend kneel knees legs mouth tongue hand hands inside under lift lower pull unbutton anfassen sehen voir toucher tocar ver`,
	`dare game truth bet loser wine drink drunk shots glass another`,
	// Money.
	`money cash dollars dollar bucks buck euro euros pounds Amount loan rent fee fees bill bills deposit allowance funds salary debt debts tuition ticket cost costs price gift paypal savings dough grand hundred geld miete argent loyer dinero plata renta
		dinheiro aluguel reais pesos kohle knete fric`,
	`lend loan borrow wire transfer spot pay cover float deposit front lending advance buy donate sponsor support help spare afford recharge topup leihen uberweise uberweisen zahlen zahle schulde preter avancer depanner rembourse prestas prestame
		prestar mandas transfieres depositas ayudas emprestar empresta ajuda`,
	`cashapp venmo zelle paypal western union moneygram pix bizum revolut wire bank account iban routing cvv login wallet usdt check cheque mandat konto compte cuenta conta`,
	`card cards giftcard code codes steam itunes razer google amazon apple vanilla sephora prepaid paysafecard pcs transcash coupon gutschein gutscheine scratch pin tarjeta carte`,
	`invest investing investment bitcoin btc crypto cryptos forex trading trade trader profit profits returns platform mentor broker signals coin stocks double triple guaranteed risk withdraw invierte investiere investir cripto riesgo risiko verdopple`,
	`hospital surgery doctor landlord evicted eviction stranded stuck stolen robbed customs frozen blocked emergency urgent urgently desperate hungry starving eaten sick medicine bail visa lawyer short broke declined mugged kicked operation dringend urgence
		urgente medicina krankenhaus hopital`,
	`back friday monday tomorrow payday until till til today week month later zuruck rendrai devuelvo devolvo lunes viernes`,
	// Elsewhere, and advertising.
	`whatsapp telegram instagram snapchat kik signal wechat viber discord line hangouts facebook messenger skype tiktok imessage facetime sc tg wtsapp whats wpp wasap zap face gmail linkedin app elsewhere`,
	`number numbers digits cell phone email mail Phone Mail Handle handle username user num mobile contact nummer handynummer numero cel telefone celular`,
	`text add call message hit write dm msg reach hmu ring find schreib schreiben adde ecris ajoute escribeme agregame hablame chama`,
	`app here site online profile subscription membership account deleting closing rarely hardly slow laggy hier aqui ici`,
	`free discount offer promo sale half price limited order off deal shop shipping coupon trial bonus prize won win winner claim exclusive selling sell sold gratis gratuit rabatt oferta promocao`,
	`subscribe sub subs follow followers click tap link join channel visit register verify download stream page site website bio signup sign onlyfans webinar course coaching consult klick abonne clique suscribete enlace assine lien inscris`,
	`earn earning hiring recruiting job jobs income team business daily hourly experience clients appointments book booking verdiene gagne gana trabaja ganhe renda`,
	`Address`, `Number`, `?`,
	// What makes light of things, and what days are made of.
	`haha hahaha lol lmao rofl jk hehe jaja jajaja kkkk kkk mdr ptdr Laugh Heart kidding joking`,
	`sorry thanks thank thankful appreciate hope fine ok okay worry rush pressure slow comfortable ready whenever honest honestly feel understand welcome danke merci gracias obrigado obrigada tranquila`,
	`dinner coffee lunch walk movie film book music song game team dog cat puppy trip train flight weather rain garden recipe cake pizza tea park beach museum concert party yoga school class kino essen kaffee hund cafe cine perro chien parque`,
	`what whats how why when who where which was wie warum wann que comment pourquoi como cuando porque`,
}

// A word's kinds are a bit each; two bits more say what the phrases need.
const (
	endsPhrase = 1 << 62
	isExcuse   = 1 << 63
	kindBits   = endsPhrase - 1
)

// lexicon is what is known of words, by their hashes. A table of our own is
// looked up for each word of each message, several times as fast as a map.
type lexicon [lexiconSize]struct {
	hash uint32
	says uint64
}

const lexiconSize = 8192

// of says what is known of a word, 0 for most.
func (l *lexicon) of(hash uint32) uint64 {
	for i := hash * 0x9e3779b1 >> 19; ; i = (i + 1) % lexiconSize {
		if cell := &l[i]; cell.hash == hash || cell.says == 0 {
			return cell.says
		}
	}
}

func (l *lexicon) note(hash uint32, says uint64) {
	i := hash * 0x9e3779b1 >> 19
	for l[i].says != 0 && l[i].hash != hash {
		i = (i + 1) % lexiconSize
	}
	l[i].hash = hash
	l[i].says |= says
}

// known is the lexicon of kinds, excuses and last words of phrases.
var known = func() *lexicon {
	all := &lexicon{}
	for i, list := range kinds {
		for _, name := range strings.Fields(list) {
			all.note(hashOf([]byte(name)), 1<<i)
		}
	}
	for hash := range ends {
		all.note(hash, endsPhrase)
	}
	for hash := range excuses {
		all.note(hash, isExcuse)
	}
	return all
}()

package search_test

import (
	"context"
	"testing"
)

// BenchmarkSearch_TenThousandAccentedMessages searches a conversation of 10,000 messages of 150 characters for a word that
// none has, so that each is compared. ASCII messages need no normalization.
func BenchmarkSearch_TenThousandAccentedMessages(b *testing.B) {
	for _, c := range []struct{ name, content string }{
		{"accented", "Déjà vu à la crèche: où êtes-vous, chère Zoë? Ça, c’est l’été où l’âne brait, et l’œuvre de Noël naît à côté du château de Besançon. "},
		{"ASCII", "Deja vu a la creche: ou etes-vous, chere Zoe? Ca, c'est l'ete ou l'ane brait, et l'oeuvre de Noel nait a cote du chateau de Besancon. "},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := newEnv(b)
			one, other, _ := w.Pair()
			conversation := w.Send(one, other, "first").ConversationID
			w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, message_type, sent_at)
				SELECT gen_random_uuid(), $1, n, $2, gen_random_uuid(), $3 || n, 'text', now() FROM generate_series(2, 10001) n`, conversation, one.ID, c.content)
			w.Exec(`UPDATE conversations SET last_seq = 10001 WHERE id = $1`, conversation)
			w.Exec(`ANALYZE messages`)
			for b.Loop() {
				found, _, err := w.S.Search.Search(context.Background(), other, "château blanc", "", 20)
				if err != nil || len(found) != 0 {
					b.Fatal(found, err)
				}
			}
		})
	}
}

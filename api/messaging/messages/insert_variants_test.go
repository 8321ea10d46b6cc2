package messages

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var updateVariants = flag.Bool("update", false, "write testdata/insert_variants.diff")

// The statements that insert messages are separate texts, because one text with options is slower. They differ only in the
// lines of testdata/insert_variants.diff, so that a condition which is added to one of them shows there in the review of its
// change. After a change, -update writes it again.
func TestInsertStatements_DifferOnlyWhereListed(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, c := range []struct{ name, from, to string }{
		{"one message of a batch → one message without jobs", insertOneOfBatchSQL, insertOneWithoutJobsSQL},
		{"one message of a batch → one message that waits for the lock", insertOneOfBatchSQL, insertOneSQL},
		{"one message of a batch → many messages, with the names of one", withoutCasts(insertOneOfBatchSQL), withNamesOfOne(insertBatchSQL)},
	} {
		text.WriteString("# " + c.name + "\n" + lineDiff(c.from, c.to) + "\n")
	}
	const file = "testdata/insert_variants.diff"
	if *updateVariants {
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String(), "if each line is intended, run: go test ./api/messaging/messages -run TestInsertStatements -update")
}

var cast = regexp.MustCompile(`(\$\d+)::\w+(?:\[\])?`)

func withoutCasts(sql string) string { return cast.ReplaceAllString(sql, "$1") }

// withNamesOfOne returns the statement for many messages with the parameters and names of the one for a single message: the
// columns of a message are parameters, and the CTE locked has the computed columns of numbered.
func withNamesOfOne(sql string) string {
	for i, column := range []string{"sender_id", "recipient_id", "client_id", "id", "message_type", "content", "reply_to", "date_id", "flag"} {
		sql = regexp.MustCompile(`\b[oln]\.`+column+`\b`).ReplaceAllString(sql, "$$"+string(rune('1'+i)))
	}
	sql = strings.NewReplacer("n.a_spoke_now", "l.a_spoke", "n.b_spoke_now", "l.b_spoke", "n.turns_now", "l.turns", "n.", "l.").Replace(sql)
	return withoutCasts(sql)
}

// lineDiff returns the lines that only one of two texts has, without their indentation, with - or +.
func lineDiff(from, to string) string {
	a, b := trimmedLines(from), trimmedLines(to)
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out.WriteString("- " + a[i] + "\n")
			i++
		default:
			out.WriteString("+ " + b[j] + "\n")
			j++
		}
	}
	return out.String()
}

func trimmedLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

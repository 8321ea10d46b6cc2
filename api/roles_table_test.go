package api_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roleTargets are the ids in the paths of operations, by the beginning of the path.
var roleTargets = map[string]string{
	"/api/admin/appeals/{id}":                  "/api/admin/appeals/$appealed",
	"/api/admin/appeals/{id}/files/{fileId}":   "/api/admin/appeals/$appealed/files/$removedFile",
	"/api/admin/birth-dates/{id}":              "/api/admin/birth-dates/$birthDate",
	"/api/admin/flags/{id}/files/{fileId}":     "/api/admin/flags/$flag/files/$flaggedFile",
	"/api/admin/flags/{id}":                    "/api/admin/flags/$flag",
	"/api/admin/profile-reviews/{id}":          "/api/admin/profile-reviews/$profileReview",
	"/api/admin/notes/{kind}/{id}":             "/api/admin/notes/member/$owner",
	"/api/admin/queue/{kind}/{id}":             "/api/admin/queue/report/$report",
	"/api/admin/reports/{id}/files/{fileId}":   "/api/admin/reports/$report/files/$photo",
	"/api/admin/reports/{id}":                  "/api/admin/reports/$report",
	"/api/admin/users/{id}":                    "/api/admin/users/$owner",
	"/api/admin/verifications/{id}":            "/api/admin/verifications/$verification",
	"/api/auth/passkeys/{id}":                  "/api/auth/passkeys/$passkey",
	"/api/auth/sessions/{id}":                  "/api/auth/sessions/$session",
	"/api/blocks/{userId}":                     "/api/blocks/$blocked",
	"/api/compatibility/{userId}":              "/api/compatibility/$peer",
	"/api/conversations/{id}":                  "/api/conversations/$conversation",
	"/api/conversations/{id}/accept":           "/api/conversations/$request/accept",
	"/api/conversations/{id}/decline":          "/api/conversations/$request/decline",
	"/api/conversations/{userId}":              "/api/conversations/$owner",
	"/api/dates/{id}":                          "/api/dates/$date",
	"/api/dates/{id}/cancel":                   "/api/dates/$agreedDate/cancel",
	"/api/dates/{id}/feedback":                 "/api/dates/$pastDate/feedback",
	"/api/dates/{id}/shares":                   "/api/dates/$agreedDate/shares",
	"/api/community/comments/{id}":             "/api/community/comments/$comment",
	"/api/community/pictures/{id}/{variant}":   "/api/community/pictures/$postPicture/full.webp",
	"/api/admin/community/comments/{id}":       "/api/admin/community/comments/$comment",
	"/api/admin/community/posts/{id}":          "/api/admin/community/posts/$post",
	"/api/community/posts/{id}":                "/api/community/posts/$post",
	"/api/moments/{id}":                        "/api/moments/$moment",
	"/api/moments/consents/{id}":               "/api/moments/consents/$wantedMoment",
	"/api/moments/subjects":                    "/api/moments/subjects?type=match",
	"/api/badges/check/{userId}":               "/api/badges/check/$owner",
	"/api/badges/user/{userId}":                "/api/badges/user/$owner",
	"/api/badges/notify/{badgeId}":             "/api/badges/notify/019a0000-0000-7000-8000-000000000104",
	"/api/admin/graduations/{id}":              "/api/admin/graduations/$pendingCouple",
	"/api/graduation/requests/{id}":            "/api/graduation/requests/$couple",
	"/api/legacy-wall/pictures/{id}/{variant}": "/api/legacy-wall/pictures/$couplePicture/full.webp",
	"/api/love-pulse/{userId}":                 "/api/love-pulse/$owner",
	"/api/love-pulse/{userId}/{date}":          "/api/love-pulse/$owner/$today",
	"/api/love-pulse/{userId}/years/{year}":    "/api/love-pulse/$owner/years/2026",
	"/api/matches/{id}":                        "/api/matches/$match",
	"/api/messages/{otherId}":                  "/api/messages/$peer",
	"/api/messages/{userId}/{otherId}":         "/api/messages/$owner/$match",
	"/api/passes/{userId}":                     "/api/passes/$passed",
	"/api/near":                                "/api/near?city=Portland&state=Oregon",
	"/api/places":                              "/api/places?q=Port",
	"/api/referrals/{userId}":                  "/api/referrals/$owner",
	"/api/referrals/generate/{userId}":         "/api/referrals/generate/$owner",
	"/api/referrals/invite/{userId}":           "/api/referrals/invite/$owner",
	"/api/referrals/look/{userId}":             "/api/referrals/look/$owner",
	"/api/referrals/stats/{userId}":            "/api/referrals/stats/$owner",
	"/api/uploads/{id}":                        "/api/uploads/$upload",
	"/api/uploads/{id}/file":                   "/api/uploads/$attachment/file",
	"/api/users/{id}":                          "/api/users/$peer",
	"/api/blocks/addresses/{id}":               "/api/blocks/addresses/$address_block",
	"/api/users/me/appeals/{id}":               "/api/users/me/appeals/$sanction",
	"/api/users/me/export/download/{token}":    "/api/users/me/export/download/$exportToken",
	"/api/users/me/media/{id}":                 "/api/users/me/media/$gallery_image",
	"/api/users/me/photos/{id}":                "/api/users/me/photos/$photo",
	"/files/{id}":                              "/files/$photo",
}

// openedFirst are the operations that an admin must call before another one.
var openedFirst = map[string]string{
	"GET /api/admin/flags/{id}/files/{fileId}/{variant}":   "POST /api/admin/flags/{id}/open",
	"GET /api/admin/appeals/{id}/files/{fileId}/{variant}": "POST /api/admin/appeals/{id}/open",
	"GET /api/admin/reports/{id}/files/{fileId}/{variant}": "POST /api/admin/reports/{id}/open",
	"PUT /api/admin/appeals/{id}":                          "POST /api/admin/appeals/{id}/open",
	"PUT /api/admin/flags/{id}":                            "POST /api/admin/flags/{id}/open",
	"PUT /api/admin/graduations/{id}/approve":              "POST /api/admin/graduations/{id}/open",
	"PUT /api/admin/graduations/{id}/reject":               "POST /api/admin/graduations/{id}/open",
	"PUT /api/admin/reports/{id}":                          "POST /api/admin/reports/{id}/open",
	"POST /api/admin/birth-dates/{id}/decide":              "POST /api/admin/birth-dates/{id}/open",
	"POST /api/admin/profile-reviews/decide":               "POST /api/admin/profile-reviews/{id}/open",
	"PUT /api/admin/verifications/{id}":                    "POST /api/admin/verifications/{id}/open",
}

// roleRow has the expected status of an operation in each of roles, in their order. $name in
// the body is cast.value of that name.
type roleRow struct{ operation, statuses, body string }

func (r roleRow) String() string {
	return strings.TrimSuffix(strings.Join([]string{r.operation, r.statuses, r.body}, "\t"), "\t")
}

// rolesFile is where a feature has the rows of its operations, with a tab between the cells.
const rolesFile = "testdata/roles.tsv"

// roleTable reads the rows of all features, by their operation.
func roleTable(t *testing.T) map[string]roleRow {
	t.Helper()
	files, err := filepath.Glob("*/" + rolesFile)
	require.NoError(t, err)
	rows := map[string]roleRow{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			cells := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "")
			require.GreaterOrEqual(t, len(cells), 3, "%s: %s", file, line)
			require.NotContains(t, rows, cells[0], "two rows of an operation")
			rows[cells[0]] = roleRow{cells[0], cells[1], cells[2]}
		}
	}
	return rows
}

package api_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pulseReaders names the packages whose SQL may read the Love Pulse, and what of it. None of them has an
// operation that shows a member's entries to anyone but the member and the partner.
var pulseReaders = map[string]*regexp.Regexp{
	"api/pulse":         regexp.MustCompile(`.`),
	"api/notifications": regexp.MustCompile(`^pulse_days$`), // whether today has an entry
}

var pulseName = regexp.MustCompile(`\b(?:love_pulse|pulse_days|pulse_sharing|sharing_couples|pulse_chain)\b`)

// No statement of another package, such as one of an admin's operation, names the entries or what is
// derived from them, and no view or function of another feature does.
func TestPulses_AreReadByTheirOwnersOnly(t *testing.T) {
	t.Parallel()
	own := 0
	for _, root := range []string{"../api", "../jobs", "../push"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			pkg := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../"))
			if pkg == "api/seed" {
				return nil
			}
			literals, err := stringLiterals(path)
			if err != nil {
				return err
			}
			for _, sql := range literals {
				if !strings.Contains(sql, "SELECT") && !strings.Contains(sql, "FROM") {
					continue
				}
				for _, name := range pulseName.FindAllString(sql, -1) {
					own++
					if allowed := pulseReaders[pkg]; allowed == nil || !allowed.MatchString(name) {
						t.Errorf("%s reads %s, which is private", path, name)
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.Greater(t, own, 10)
	ownFiles := []string{"00122_pulse.sql", "00134_pulse_rest_days.sql"}
	files, err := filepath.Glob("../migrations/*.sql")
	require.NoError(t, err)
	for _, path := range files {
		sql, err := os.ReadFile(path)
		require.NoError(t, err)
		if name := pulseName.Find(sql); name != nil && !slices.Contains(ownFiles, filepath.Base(path)) {
			t.Errorf("%s reads %s, which is private", path, name)
		}
	}
}

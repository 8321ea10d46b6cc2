package media

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// requiredEncoders make the copies that play in every browser.
var requiredEncoders = []string{"libx264", "aac"}

// CheckEncoders returns an error if the program lacks an encoder that conversions need.
func (f *FFmpeg) CheckEncoders(ctx context.Context) error {
	for _, name := range requiredEncoders {
		out, err := f.run(ctx, os.TempDir(), "-hide_banner", "-h", "encoder="+name)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(strings.TrimSpace(out), "Encoder "+name) {
			return fmt.Errorf("%s has no encoder %s", f.path, name)
		}
	}
	return nil
}

// The oldest version of the program with which the conversions are tested.
const oldestMajor, oldestMinor = 5, 1

// release matches the version of a release, such as "5.1.9-0+deb12u1" or "n7.1".
var release = regexp.MustCompile(`^n?(\d+)\.(\d+)`)

// CheckVersion returns an error if the program is older than the version with which the conversions are tested. A build of a
// commit has no such version and passes.
func (f *FFmpeg) CheckVersion() error {
	number := release.FindStringSubmatch(f.version)
	if number == nil {
		return nil
	}
	major, _ := strconv.Atoi(number[1])
	minor, _ := strconv.Atoi(number[2])
	if major > oldestMajor || major == oldestMajor && minor >= oldestMinor {
		return nil
	}
	return fmt.Errorf("%s is version %s, older than %d.%d", f.path, f.version, oldestMajor, oldestMinor)
}

package media

import (
	"context"
	"fmt"
	"os"
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

package cli

import (
	"context"

	"heartward/api/media"
	"heartward/api/platform/maildoctor"
)

// examineFFmpeg checks the program that converts the recordings and videos of members. Videos that a member chooses from the
// device need it: without it all of them are refused.
func examineFFmpeg(ctx context.Context, configured string) maildoctor.Finding {
	finding := maildoctor.Finding{Check: "ffmpeg", Verdict: maildoctor.Problem}
	program, err := media.FindFFmpeg(ctx, configured)
	switch {
	case err != nil:
		finding.Found = err.Error()
		finding.Do = "Install ffmpeg 5.1 or later with libx264, or set FFMPEG to its path, on machines that serve and on those that run jobs."
	case program == nil && configured == "off":
		finding.Verdict, finding.Found = maildoctor.Warning, "turned off by FFMPEG=off: videos that members choose from their devices are refused, and recordings do not play everywhere"
		finding.Do = "Install ffmpeg 5.1 or later with libx264 and unset FFMPEG, unless you mean it."
	case program == nil:
		finding.Found = "not found: videos that members choose from their devices are refused, and recordings do not play everywhere"
		finding.Do = "Install ffmpeg 5.1 or later with libx264 on machines that serve and on those that run jobs, or set FFMPEG=off if you mean it."
	default:
		if err := program.CheckVersion(); err != nil {
			finding.Found, finding.Do = err.Error(), "Install a later release of ffmpeg: older ones get no security updates, and the conversions are not tested with them."
			return finding
		}
		if err := program.CheckEncoders(ctx); err != nil {
			finding.Found, finding.Do = err.Error(), "Install a build of ffmpeg with libx264 and aac."
			return finding
		}
		finding.Verdict, finding.Found = maildoctor.OK, program.Path()+" has the encoders libx264 and aac"
	}
	return finding
}

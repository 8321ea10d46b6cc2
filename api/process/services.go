package process

import (
	"context"
	"math"

	"heartward/api/delivery"
	"heartward/api/digest"
	"heartward/api/platform/obs"
	"heartward/api/wiring"
	"heartward/jobs"
)

// wiring returns the dependencies of the services, for wiring.New. inserter enqueues their jobs.
func (c *Core) wiring(inserter *jobs.Client) wiring.Deps {
	return wiring.Deps{
		Config: c.Config, Pool: c.Pool, Bus: c.Bus, Files: c.Files, Mail: c.Mail, Jobs: inserter, FFmpeg: c.FFmpeg,
		DemoPasswords: c.DemoPasswords,
	}
}

// newWorkers returns the River client whose workers use core, and adds the metrics of the
// workers.
func newWorkers(core *Core, metrics *obs.Metrics) (*jobs.Workers, error) {
	inserter, err := jobs.NewInserter(core.Pool)
	if err != nil {
		return nil, err
	}
	deps := core.wiring(inserter)
	services := wiring.New(deps)
	addDigestMetrics(metrics, services.Digest)
	addMailMetrics(metrics, services.Delivery)
	metrics.Gauge("heartward_cleanup_age_seconds", "Seconds since the last clean-up that succeeded, on any process.",
		func() float64 { return jobs.CleanupAge(context.Background(), core.Pool) })
	return jobs.New(core.Pool, wiring.Workers(deps, services))
}

// addMailMetrics adds the share of the mails of the last hour that failed, on any process.
func addMailMetrics(m *obs.Metrics, d *delivery.Service) {
	read := func(value func(ratio float64, ended int) float64) func() float64 {
		return func() float64 {
			ratio, ended, err := d.FailureRatio(context.Background())
			if err != nil {
				return math.NaN()
			}
			return value(ratio, ended)
		}
	}
	m.Gauge("heartward_mail_failure_ratio", "Share of the mails that ended in the last hour without arriving, on any process.",
		read(func(ratio float64, _ int) float64 { return ratio }))
	m.Gauge("heartward_mails_ended", "Mails that ended in the last hour, on any process.",
		read(func(_ float64, ended int) float64 { return float64(ended) }))
}

// addDigestMetrics adds the outcomes of the digests that this process sent.
func addDigestMetrics(m *obs.Metrics, d *digest.Service) {
	m.Counter("heartward_digests_sent", "Digests that the mail server accepted, since the start.", func() float64 {
		sent, _, _ := d.Counts()
		return float64(sent)
	})
	m.Counter("heartward_digests_failed", "Digests that were refused or may not have arrived, since the start.", func() float64 {
		_, failed, _ := d.Counts()
		return float64(failed)
	})
	m.Counter("heartward_digests_skipped", "Members who got no digest, since the start.", func() float64 {
		_, _, skipped := d.Counts()
		return float64(skipped)
	})
}

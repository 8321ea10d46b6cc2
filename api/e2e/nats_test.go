package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/bus/bustest"
)

// A node starts without NATS, connects when NATS is reachable, and is ready with and
// without it. A metric reports the connection.
func TestServe_IsReadyWithoutNATS(t *testing.T) {
	t.Parallel()
	nats := bustest.NewProxy(t, "")
	metrics := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	p := newInstance(t)
	p.variables = []string{"NATS_URL=" + nats.URL(), "METRICS_ADDR=" + metrics}
	p.serve("--no-work")
	requireDegraded := func(degraded int) {
		t.Helper()
		require.Eventually(t, func() bool {
			response, err := http.Get("http://" + metrics + "/metrics")
			if err != nil {
				return false
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			return err == nil && strings.Contains(string(body), fmt.Sprintf("\nheartward_bus_degraded %d\n", degraded))
		}, waitTimeout, 10*time.Millisecond)
		require.Eventually(t, func() bool {
			status, _ := p.get("/readyz")
			return status == http.StatusOK
		}, waitTimeout, 10*time.Millisecond)
	}
	requireDegraded(1)
	nats.Heal(bustest.Server(t, server.ClusterOpts{}).Addr().String())
	requireDegraded(0)
	nats.Cut()
	requireDegraded(1)
}

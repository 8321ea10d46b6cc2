package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllowsPlaintext_OwnMachineAndListedHosts(t *testing.T) {
	c, err := load(t, "PLAINTEXT_HOSTS=postgres,.internal,fdaa::/16,10.1.0.0/16,192.0.2.7")
	require.NoError(t, err)
	for host, want := range map[string]bool{
		"": true, "/run/postgresql": true, "localhost": true, "127.0.0.1": true, "127.5.5.5": true, "::1": true,
		"postgres": true, "POSTGRES": true, "nats.internal": true, "a.nats.internal": true, "fdaa:0:1::3": true, "10.1.2.3": true,
		"::ffff:10.1.2.3": true, "192.0.2.7": true,
		"internal": false, "evilinternal": false, "postgres.example": false, "fdab::1": false, "10.2.0.1": false, "192.0.2.8": false,
		"0.0.0.0": false, "localhost.example": false, "10.1.2.3.example": false,
	} {
		require.Equal(t, want, c.AllowsPlaintext(host), host)
	}
	none, err := load(t, "PLAINTEXT_HOSTS=")
	require.NoError(t, err)
	require.False(t, none.AllowsPlaintext("nats.internal"))
	require.True(t, none.AllowsPlaintext("localhost"))
	_, err = load(t, "PLAINTEXT_HOSTS=10.0.0.0/99")
	require.ErrorContains(t, err, "PLAINTEXT_HOSTS: ")
}

func TestLoad_RequiresTLSToOtherMachines(t *testing.T) {
	for variables, variable := range map[string]string{
		"NATS_URL=nats://nats.example:4222":                                     "NATS_URL",
		"NATS_URL=tls://a.example,nats://b.example":                             "NATS_URL",
		"NATS_URL=nats://localhost,b.example:4222":                              "NATS_URL",
		"NATS_URL=nats://user:hunter2@nats.example":                             "NATS_URL",
		"NATS_URL=tls://a.example,tls://b.example":                              "",
		"NATS_URL=nats://localhost:4222,nats://127.0.0.1:4223":                  "",
		"NATS_URL=nats://nats.internal:4222":                                    "NATS_URL",
		"NATS_URL=nats://nats.internal:4222 PLAINTEXT_HOSTS=.internal":          "",
		"BLOB_URL=s3://photos?endpoint=http://minio.example:9000":               "BLOB_URL",
		"BLOB_URL=s3://photos?endpoint=minio.example&disable_https=true":        "BLOB_URL",
		"BLOB_URL=s3://photos?disable_https=true":                               "BLOB_URL",
		"BLOB_URL=s3://photos?endpoint=https://minio.example":                   "",
		"BLOB_URL=s3://photos?region=eu-west-1":                                 "",
		"BLOB_URL=s3://photos?endpoint=http://127.0.0.1:9000":                   "",
		"BLOB_URL=s3://photos?endpoint=http://minio:9000 PLAINTEXT_HOSTS=minio": "",
	} {
		_, err := load(t, variables)
		if variable == "" {
			require.NoError(t, err, variables)
			continue
		}
		require.ErrorContains(t, err, variable+": the connection to ", variables)
		require.NotContains(t, err.Error(), "hunter2")
		require.NotContains(t, err.Error(), "\n")
	}
}

package main

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"heartward/push"
)

// benchPush sends encrypted pushes to a service in this process, alternately with our
// client and with webpush-go. Both encrypt to the same keys, in records of the same
// size, over persistent connections. The processor time of a push includes the
// service's share.
func benchPush(ctx context.Context, _ string) error {
	out := os.Stdout
	service := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusCreated)
	}))
	defer service.Close()
	ours, webpushGo, err := pushers(service)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n## Pushes encrypted and sent over HTTPS, %d processors\n\n", runtime.GOMAXPROCS(0))
	fmt.Fprintln(out, "| clients | ours/s | webpush-go/s | ratio | ours/s per core | webpush-go/s per core | ratio per core |")
	fmt.Fprintln(out, "|---:|---:|---:|---:|---:|---:|---:|")
	for _, clients := range []int{1, 8} {
		var our, their pushResult
		for range pushRounds {
			if err := errors.Join(our.add(ctx, clients, ours), their.add(ctx, clients, webpushGo)); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "| %d | %.0f | %.0f | %.2f | %.0f | %.0f | %.2f |\n", clients, our.rate(), their.rate(), our.rate()/their.rate(),
			our.perCore(), their.perCore(), our.perCore()/their.perCore())
	}
	return nil
}

// pushers returns the two functions that send a push to the service.
func pushers(service *httptest.Server) (ours, webpushGo func(context.Context) error, err error) {
	public, private, err := push.NewKeys()
	if err != nil {
		return nil, nil, err
	}
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	u, err := url.Parse(service.URL)
	if err != nil {
		return nil, nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(service.Certificate())
	trust := &tls.Config{RootCAs: roots}
	to := push.Subscription{
		Endpoint: service.URL + "/to/1", P256dh: base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()),
		Auth: base64.RawURLEncoding.EncodeToString(make([]byte, 16)),
	}
	payload := []byte(`{"web_push":8030,"notification":{"title":"5 new messages from Maya","body":"See you on Saturday at the bakery","navigate":"https://heartward.test/messages/1","tag":"conversation-1"}}`)
	sender := push.NewSender(push.Options{
		PublicKey: public, PrivateKey: private, Subject: "ops@heartward.test", Hosts: []string{u.Host}, AllowPrivate: true, TLS: trust,
	})
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trust, MaxIdleConnsPerHost: 32}}
	ours = func(ctx context.Context) error {
		return sender.Send(ctx, to, push.Message{Payload: payload, TTL: time.Hour, Urgency: push.High, Topic: "topic"}).Err
	}
	webpushGo = func(ctx context.Context) error {
		response, err := webpush.SendNotificationWithContext(ctx, payload,
			&webpush.Subscription{Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth}},
			&webpush.Options{
				HTTPClient: client, RecordSize: 2800, Subscriber: "ops@heartward.test", TTL: 3600, Urgency: webpush.UrgencyHigh, Topic: "topic",
				VAPIDPublicKey: public, VAPIDPrivateKey: private,
			})
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, response.Body)
		return response.Body.Close()
	}
	return ours, webpushGo, nil
}

// pushResult is the result of all rounds of one of the two functions of pushers.
type pushResult struct {
	count         int64
	took, cpuTime time.Duration
}

func (p pushResult) rate() float64    { return float64(p.count) / p.took.Seconds() }
func (p pushResult) perCore() float64 { return float64(p.count) / p.cpuTime.Seconds() }

// add runs one round of concurrent clients, which send one push after the other.
func (p *pushResult) add(ctx context.Context, clients int, send func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var count atomic.Int64
	var all sync.WaitGroup
	began, cpuTime := time.Now(), processorTime()
	for range clients {
		all.Go(func() {
			for time.Since(began) < pushRound && ctx.Err() == nil {
				if err := send(ctx); err != nil {
					cancel(err)
					return
				}
				count.Add(1)
			}
		})
	}
	all.Wait()
	p.count += count.Load()
	p.took += time.Since(began)
	p.cpuTime += processorTime() - cpuTime
	return context.Cause(ctx)
}

// processorTime returns the processor time of this process on all cores.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Package mailtest has a mail server for tests, whose answers a test decides: it accepts, refuses, delays or drops mails.
package mailtest

import (
	"bufio"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Mail is an accepted mail.
type Mail struct {
	From, To string // of the envelope, as they were written
	Raw      string // headers and body, with \n
}

// Header returns a header that is in one line, or an empty string.
func (m Mail) Header(name string) string {
	for line := range strings.SplitSeq(m.Raw, "\n") {
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return value
		}
	}
	return ""
}

// Answers that end the connection.
const (
	// Drop ends it before the mail is accepted.
	Drop = "drop"
	// DropAfter ends it after the mail was accepted, so that the sender does not learn of that.
	DropAfter = "drop after"
)

// Moment is a moment of a connection at which it can be stopped.
type Moment int

// The moments of a connection.
const (
	BeforeContent  Moment = iota // DATA was not answered yet
	BeforeResponse               // the mail was accepted, and its sender does not know yet
	AfterResponse
)

// Stop stops one connection until Release is closed, and closes Reached.
type Stop struct {
	Reached, Release chan struct{}

	after  int
	moment Moment
}

// Server is a mail server on the loopback address.
type Server struct {
	URL *url.URL

	mu     sync.Mutex
	answer func(command, recipient string) string
	mails  []Mail
	tried  map[string]int // RCPT commands by recipient
	next   chan struct{}  // closed and replaced at each accepted mail
	stop   *Stop          // nil if no connection is to be stopped
}

// New starts a server that accepts everything. It ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	address, err := url.Parse("smtp://" + listener.Addr().String())
	require.NoError(t, err)
	s := &Server{URL: address, tried: map[string]int{}, next: make(chan struct{})}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

// Answer sets the function that returns the answers to MAIL, RCPT, DATA and the end of the content, which is the command
// ".". recipient is empty before RCPT. An empty answer accepts. The function may block.
func (s *Server) Answer(fn func(command, recipient string) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = fn
}

// Refuse answers a command with a text from now on.
func (s *Server) Refuse(command, text string) {
	s.Answer(func(c, _ string) string {
		if c == command {
			return text
		}
		return ""
	})
}

// Accept accepts everything from now on.
func (s *Server) Accept() { s.Answer(nil) }

// StopAt stops the first connection that reaches the moment once that many mails were accepted.
func (s *Server) StopAt(mails int, moment Moment) *Stop {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = &Stop{Reached: make(chan struct{}), Release: make(chan struct{}), after: mails, moment: moment}
	return s.stop
}

// pass waits if the connection is to be stopped at the moment.
func (s *Server) pass(moment Moment) {
	s.mu.Lock()
	stop := s.stop
	if stop == nil || stop.moment != moment || len(s.mails) < stop.after {
		s.mu.Unlock()
		return
	}
	s.stop = nil
	s.mu.Unlock()
	close(stop.Reached)
	<-stop.Release
}

// Mails returns the mails that were accepted for a recipient, and for all if it is empty.
func (s *Server) Mails(to string) []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Mail
	for _, m := range s.mails {
		if to == "" || m.To == to {
			found = append(found, m)
		}
	}
	return found
}

// Tries returns the number of attempts to send a mail to a recipient.
func (s *Server) Tries(to string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tried[to]
}

// Next returns a channel that is closed when the next mail has been accepted.
func (s *Server) Next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

// answerTo returns the test's answer to a command, or "" to accept it.
func (s *Server) answerTo(command, recipient string) string {
	s.mu.Lock()
	answer := s.answer
	if command == "RCPT" {
		s.tried[recipient]++
	}
	s.mu.Unlock()
	if answer == nil {
		return ""
	}
	return answer(command, recipient)
}

func (s *Server) accept(m Mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, m)
	close(s.next)
	s.next = make(chan struct{})
}

// serve serves a connection.
func (s *Server) serve(conn net.Conn) {
	defer conn.Close()
	write(conn, "220 mailtest")
	var m Mail
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		line := lines.Text()
		command, reply := strings.ToUpper(strings.SplitN(line, " ", 2)[0]), "250 ok"
		switch command {
		case "MAIL":
			m = Mail{From: addressIn(line)}
		case "RCPT":
			m.To = addressIn(line)
		case "DATA":
			reply = "354 go on"
		case "QUIT":
			write(conn, "221 bye")
			return
		}
		if command == "MAIL" || command == "RCPT" || command == "DATA" {
			if other := s.answerTo(command, m.To); other == Drop {
				return
			} else if other != "" {
				reply = other
			}
		}
		if command == "DATA" {
			s.pass(BeforeContent)
		}
		write(conn, reply)
		if command == "DATA" && strings.HasPrefix(reply, "354") && !s.serveContent(conn, lines, &m) {
			return
		}
	}
}

// write sends a line of the server. A client that is gone notices the end of the connection.
func write(conn net.Conn, line string) { _, _ = io.WriteString(conn, line+"\r\n") }

// serveContent reads the content of a mail and answers to its end. It reports false if the connection ends.
func (s *Server) serveContent(conn net.Conn, lines *bufio.Scanner, m *Mail) bool {
	var raw strings.Builder
	isComplete := false
	for !isComplete && lines.Scan() {
		if isComplete = lines.Text() == "."; !isComplete {
			raw.WriteString(strings.TrimPrefix(lines.Text(), ".") + "\n")
		}
	}
	if !isComplete {
		return false
	}
	m.Raw = raw.String()
	reply := s.answerTo(".", m.To)
	if reply == "" || reply == DropAfter {
		s.accept(*m)
	}
	s.pass(BeforeResponse)
	switch reply {
	case Drop, DropAfter:
		return false
	case "":
		reply = "250 ok"
	}
	write(conn, reply)
	s.pass(AfterResponse)
	return true
}

// addressIn returns the address in angle brackets in a command.
func addressIn(line string) string {
	_, rest, _ := strings.Cut(line, "<")
	return rest[:max(0, strings.LastIndexByte(rest, '>'))]
}

package api

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"html/template"
	"net"
	"strconv"

	"github.com/gofiber/fiber/v3"

	"heartward/api/platform/mail"
)

const mailboxPath = "/dev/mailbox"

var mailboxPage = template.Must(template.New("mailbox").Parse(mailboxHTML))

// Mailbox is the page that shows the stored mails of a server without a mail server. The
// mails contain sign-in codes, so the page opens only on the server's own machine, and
// only with the token that the operator sees at the start.
type Mailbox struct {
	folder *mail.Folder
	token  string
}

// NewMailbox returns a Mailbox of folder with a new token.
func NewMailbox(folder *mail.Folder) *Mailbox {
	return &Mailbox{folder: folder, token: rand.Text()}
}

// Path returns the path of the page, with the token.
func (m *Mailbox) Path() string { return mailboxPath + "?token=" + m.token }

// authorize responds with 404 unless the request comes from this machine and has the token.
func (m *Mailbox) authorize(c fiber.Ctx) error {
	if !isLocal(c) || subtle.ConstantTimeCompare([]byte(c.Query("token")), []byte(m.token)) != 1 {
		return fiber.ErrNotFound
	}
	return c.Next()
}

// isLocal reports whether a client on this machine sent the request to the address of this
// process. A request through a proxy on this machine is not local. The host excludes the
// pages of other sites whose name resolves to this machine.
func isLocal(c fiber.Ctx) bool {
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via"} {
		if c.Get(header) != "" {
			return false
		}
	}
	own, ok := c.RequestCtx().LocalAddr().(*net.TCPAddr)
	if !ok || !c.RequestCtx().RemoteIP().IsLoopback() {
		return false
	}
	requested := string(c.Request().Host())
	for _, host := range []string{"localhost", "127.0.0.1", "::1"} {
		if requested == net.JoinHostPort(host, strconv.Itoa(own.Port)) {
			return true
		}
	}
	return false
}

// show responds with the newest mails, as a page or as JSON.
func (m *Mailbox) show(c fiber.Ctx) error {
	const limit = 200
	mails, err := m.folder.List(c.Query("to"), limit)
	if err != nil {
		return err
	}
	c.Set("Cache-Control", "no-store")
	if c.Query("format") == "json" || c.Accepts(fiber.MIMETextHTML, fiber.MIMEApplicationJSON) == fiber.MIMEApplicationJSON {
		return c.JSON(mails)
	}
	c.Set("Content-Security-Policy", docsPolicy)
	var page bytes.Buffer
	if err := mailboxPage.Execute(&page, map[string]any{"To": c.Query("to"), "Token": m.token, "Mails": mails}); err != nil {
		return err
	}
	return c.Type("html", "utf-8").Send(page.Bytes())
}

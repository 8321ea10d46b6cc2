package api

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"html/template"
	"io/fs"
	"net"
	"strconv"
	"strings"

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

// mailPolicy is the policy of the HTML part of a mail, which has its styles in its elements and loads nothing. It opens in
// the frame of the page only, whose sandbox runs no script either.
const mailPolicy = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'self'"

// mailboxPolicy is that of other documents, with the frame of a mail.
const mailboxPolicy = docsPolicy + "; frame-src 'self'"

// showPart responds with the HTML part of a mail.
func (m *Mailbox) showPart(c fiber.Ctx) error {
	stored, err := m.folder.Get(c.Query("part"))
	if errors.Is(err, fs.ErrNotExist) {
		return fiber.ErrNotFound
	}
	if err != nil {
		return err
	}
	c.Set("Content-Security-Policy", mailPolicy)
	return c.Type("html", "utf-8").SendString(strings.Replace(stored.HTML, "<head>", `<head><base target="_blank">`, 1))
}

// show responds with the newest mails, as a page or as JSON, or with a part of a mail.
func (m *Mailbox) show(c fiber.Ctx) error {
	const limit = 200
	c.Set("Cache-Control", "no-store")
	if c.Query("part") != "" {
		return m.showPart(c)
	}
	mails, err := m.folder.Search(c.Query("to"), c.Query("words"), limit)
	if err != nil {
		return err
	}
	if c.Query("format") == "json" || c.Accepts(fiber.MIMETextHTML, fiber.MIMEApplicationJSON) == fiber.MIMEApplicationJSON {
		return c.JSON(mails)
	}
	c.Set("Content-Security-Policy", mailboxPolicy)
	var page bytes.Buffer
	if err := mailboxPage.Execute(&page, map[string]any{"To": c.Query("to"), "Words": c.Query("words"), "Token": m.token, "Mails": mails}); err != nil {
		return err
	}
	return c.Type("html", "utf-8").Send(page.Bytes())
}

package config

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AddressSecret returns the secret of the HMACs of banned and blocked addresses: ADDRESS_SECRET, or
// SECRET. LoadKeys must be called before.
func (c *Config) AddressSecret() []byte {
	if c.AddressSecretText != "" {
		return []byte(c.AddressSecretText)
	}
	return c.Secret
}

// LoadKeys sets the secret and the VAPID pair if the environment does not. They are
// created once, with newPair for the pair, and stored in the data folder.
func (c *Config) LoadKeys(newPair func() (public, private string, err error)) error {
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return invalidVariable("DATA_DIR", err.Error())
	}
	if err := c.loadSecret(); err != nil {
		return err
	}
	return c.loadVAPID(newPair)
}

func (c *Config) loadSecret() error {
	if c.SecretText == "" {
		text, err := loadOrCreate(c.Path("secret"), func() (string, error) { return rand.Text() + rand.Text(), nil })
		if err != nil {
			return invalidVariable("DATA_DIR", err.Error())
		}
		c.SecretText = text
	}
	c.Secret = []byte(c.SecretText)
	return nil
}

func (c *Config) loadVAPID(newPair func() (public, private string, err error)) error {
	if c.VAPIDPublic != "" {
		return nil
	}
	pair, err := loadOrCreate(c.Path("vapid"), func() (string, error) {
		public, private, err := newPair()
		return public + "\n" + private, err
	})
	if err != nil {
		return invalidVariable("DATA_DIR", err.Error())
	}
	public, private, ok := strings.Cut(pair, "\n")
	if !ok {
		return invalidVariable("DATA_DIR", "the file vapid does not contain two keys")
	}
	c.VAPIDPublic, c.VAPIDPrivate = public, private
	return nil
}

// loadOrCreate returns the content of the file, or creates it with the result of create. The file
// is created atomically; if several processes create it, all return the content of the first.
func loadOrCreate(path string, create func() (string, error)) (string, error) {
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 {
		return strings.TrimSpace(string(text)), nil
	}
	if err == nil {
		return "", fmt.Errorf("%s is empty; remove it", path)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	created, err := create()
	if err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".temp-") // mode 0600
	if err != nil {
		return "", err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(created + "\n")
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return "", err
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	text, err = os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}

// checkKeys refuses secrets of less than 32 characters, and VAPID keys that are incomplete or have another length.
func (c *Config) checkKeys() error {
	if c.AddressSecretText != "" && len(c.AddressSecretText) < 32 {
		return invalidVariable("ADDRESS_SECRET", "must have at least 32 characters")
	}
	if c.SecretText != "" && len(c.SecretText) < 32 {
		return invalidVariable("SECRET", "must have at least 32 characters")
	}
	if (c.VAPIDPublic == "") != (c.VAPIDPrivate == "") {
		return invalidVariable("VAPID_PUBLIC_KEY", "must be set together with VAPID_PRIVATE_KEY")
	}
	for variable, rule := range map[string]struct {
		value string
		bytes int
	}{"VAPID_PUBLIC_KEY": {c.VAPIDPublic, 65}, "VAPID_PRIVATE_KEY": {c.VAPIDPrivate, 32}} {
		if rule.value == "" {
			continue
		}
		raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(rule.value, "="))
		if err != nil || len(raw) != rule.bytes {
			return invalidVariable(variable, "must be a key printed by `heartward vapid`")
		}
	}
	if !strings.Contains(c.VAPIDSubject, "@") && !strings.HasPrefix(c.VAPIDSubject, "https://") {
		return invalidVariable("VAPID_SUBJECT", "must be a mail address or an https:// address")
	}
	return nil
}

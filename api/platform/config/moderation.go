package config

import "net/url"

// checkModeration refuses variables of the moderation service without its URL, and a URL to another machine over which
// texts and pictures would be sent unencrypted.
func (c *Config) checkModeration() error {
	if c.ModerationPictures != "" && c.ModerationPictures != "on" {
		return invalidVariable("MODERATION_PICTURES", "must be on, or not set")
	}
	if c.ModerationURL == "" {
		if c.ModerationPictures != "" {
			return invalidVariable("MODERATION_PICTURES", "must be set together with MODERATION_URL")
		}
		if c.ModerationKey != "" {
			return invalidVariable("MODERATION_KEY", "must be set together with MODERATION_URL")
		}
		return nil
	}
	address, err := url.Parse(c.ModerationURL)
	if err != nil || address.Host == "" || address.User != nil {
		return invalidVariable("MODERATION_URL", "is not an address")
	}
	if address.Scheme != "https" && !(address.Scheme == "http" && isLoopback(address.Hostname())) {
		return invalidVariable("MODERATION_URL", "must begin with https://, or with http:// on this machine")
	}
	return nil
}

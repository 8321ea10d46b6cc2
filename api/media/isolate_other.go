//go:build !linux

package media

import "syscall"

// isolation returns nil: only the limits of the shell apply on this system.
func isolation(bool) *syscall.SysProcAttr { return nil }

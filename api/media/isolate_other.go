//go:build !linux

package media

import "syscall"

// isolation knows of nothing more than the limits here.
func isolation(bool) *syscall.SysProcAttr { return nil }

//go:build !linux

package pg

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func dataPath(folder *os.File) (string, []*os.File) { return folder.Name(), nil }

// childAttributes keep the terminal's Ctrl-C away from the server. Only Linux
// can end it with us; elsewhere the next start ends what was left.
func childAttributes(_ syscall.Signal, a *account) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		attributes.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attributes
}

func holders(data string) []int {
	if file, err := readPidFile(data); err == nil && serves(file.pid, data) {
		return []int{file.pid}
	}
	return nil
}

// serves reports whether the process runs PostgreSQL; a number that was given
// to another program since does not.
func serves(pid int, _ string) bool {
	name, err := exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && filepath.Base(strings.TrimSpace(string(name))) == "postgres"
}

func allowsPrograms(string) bool { return true }

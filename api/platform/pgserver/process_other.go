//go:build !linux

package pgserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func dataPath(folder *os.File) (string, []*os.File) { return folder.Name(), nil }

// childAttributes returns the attributes of the server process. It gets its own
// process group, so that Ctrl-C in the terminal does not end it before this
// process has finished. Only Linux can signal it when this process dies; on other
// systems the next start ends a server that was left running.
func childAttributes(_ syscall.Signal, a *account) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		attributes.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attributes
}

func processesIn(data string) []int {
	if file, err := readPidFile(data); err == nil && isServer(file.pid, data) {
		return []int{file.pid}
	}
	return nil
}

// isServer reports whether the process is a PostgreSQL server. It is not if the
// system has reused the id for another program.
func isServer(pid int, _ string) bool {
	name, err := exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && filepath.Base(strings.TrimSpace(string(name))) == "postgres"
}

func allowsExec(string) bool { return true }

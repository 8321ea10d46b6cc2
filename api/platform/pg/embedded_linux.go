package pg

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// dataPath names the data folder to the server, which gets the folder as its
// fourth file. That way leads past closed folders above, such as root's home,
// that the server's account may not pass, and needs no capability.
func dataPath(folder *os.File) (string, []*os.File) {
	return "/proc/self/fd/3", []*os.File{folder}
}

// childAttributes keep the terminal's Ctrl-C away from the server, so that we
// stop it after our own work, and let it end when we are killed.
func childAttributes(onParentDeath syscall.Signal, a *account) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: onParentDeath}
	if a != nil {
		attributes.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attributes
}

// holders are the processes that work in the data folder, which every process
// of a PostgreSQL server does.
func holders(data string) []int {
	folder, err := os.Stat(data)
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && worksIn(pid, folder) {
			found = append(found, pid)
		}
	}
	return found
}

func serves(pid int, data string) bool {
	folder, err := os.Stat(data)
	return err == nil && worksIn(pid, folder)
}

func worksIn(pid int, folder os.FileInfo) bool {
	cwd, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	return err == nil && os.SameFile(cwd, folder) && pid != os.Getpid()
}

// allowsPrograms reports whether the folder's file system runs programs.
func allowsPrograms(path string) bool {
	const noexec = 8 // ST_NOEXEC
	var stat syscall.Statfs_t
	return syscall.Statfs(path, &stat) == nil && stat.Flags&noexec == 0
}

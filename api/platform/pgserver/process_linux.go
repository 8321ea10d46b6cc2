package pgserver

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// dataPath returns the path of the data folder for the server, and the files that
// it must inherit. The server inherits the open folder as file descriptor 3, so
// it needs no search permission on the folders above, such as root's home.
func dataPath(folder *os.File) (string, []*os.File) {
	return "/proc/self/fd/3", []*os.File{folder}
}

// childAttributes returns the attributes of the server process. It gets its own
// process group, so that Ctrl-C in the terminal does not end it before this
// process has finished, and receives onParentDeath when this process dies.
func childAttributes(onParentDeath syscall.Signal, a *account) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: onParentDeath}
	if a != nil {
		attributes.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attributes
}

// processesIn returns the ids of the processes whose working directory is the data
// folder. These are all processes of a PostgreSQL server.
func processesIn(data string) []int {
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
		if err == nil && hasWorkingDir(pid, folder) {
			found = append(found, pid)
		}
	}
	return found
}

// isServer reports whether the data folder is the working directory of the process.
func isServer(pid int, data string) bool {
	folder, err := os.Stat(data)
	return err == nil && hasWorkingDir(pid, folder)
}

func hasWorkingDir(pid int, folder os.FileInfo) bool {
	cwd, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	return err == nil && os.SameFile(cwd, folder) && pid != os.Getpid()
}

// allowsExec reports whether the folder's file system allows to execute programs.
func allowsExec(path string) bool {
	const noexec = 8 // ST_NOEXEC
	var stat syscall.Statfs_t
	return syscall.Statfs(path, &stat) == nil && stat.Flags&noexec == 0
}

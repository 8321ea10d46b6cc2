package pgserver

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the unprivileged user that runs the server if this process is root, because
// PostgreSQL refuses to run as root. A nil account means the user of this process.
type account struct{ uid, gid uint32 }

// serverAccount returns the account for the data folder: its owner, or the user
// `nobody` if the folder does not exist or belongs to root. If this process is
// not root, it returns nil, or an error if the data belongs to another user.
func serverAccount(data string) (*account, error) {
	owner, err := ownerOf(data)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if os.Geteuid() != 0 {
		if err == nil && int(owner.uid) != os.Geteuid() {
			return nil, fmt.Errorf("the data in %s belongs to user %d; start as that user or as root", filepath.Dir(data), owner.uid)
		}
		return nil, nil
	}
	if err == nil && owner.uid != 0 {
		return owner, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root and there is no user nobody: start as another user or set DATABASE_URL")
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	return &account{uint32(uid), uint32(gid)}, err
}

// ownerOf returns the owner of a file or folder, without following a symbolic link.
func ownerOf(path string) (*account, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	stat := info.Sys().(*syscall.Stat_t)
	return &account{stat.Uid, stat.Gid}, nil
}

// chown makes the account the owner of path.
func (a *account) chown(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// removeOwn deletes the folder of an earlier run at path, if it exists. It returns an
// error if the folder belongs to another user, which is possible because every user can
// write to its parent.
func (a *account) removeOwn(path string) error {
	owner, err := ownerOf(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if owner.uid != uint32(os.Geteuid()) && (a == nil || owner.uid != a.uid) {
		return fmt.Errorf("%s belongs to user %d", path, owner.uid)
	}
	return os.RemoveAll(path)
}

// canReach reports whether the account has search permission on path and on all
// folders above it.
func (a *account) canReach(path string) bool {
	if a == nil {
		return true
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(path)
		if err != nil || !a.canSearch(info) {
			return false
		}
		if path == "/" {
			return true
		}
		path = filepath.Dir(path)
	}
}

// canSearch reports whether the permissions of a folder let the account search it.
func (a *account) canSearch(info os.FileInfo) bool {
	stat := info.Sys().(*syscall.Stat_t)
	bits := info.Mode().Perm()
	switch {
	case stat.Uid == a.uid:
		bits >>= 6
	case stat.Gid == a.gid:
		bits >>= 3
	}
	return bits&1 != 0
}

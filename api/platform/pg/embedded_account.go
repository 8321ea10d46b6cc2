package pg

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the unprivileged user that the server runs as when we are root,
// because PostgreSQL refuses to be root. A nil account is our own.
type account struct{ uid, gid uint32 }

// serverAccount chooses the owner of existing data, else nobody. Not being
// root it checks that the data is our own.
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

func ownerOf(path string) (*account, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	stat := info.Sys().(*syscall.Stat_t)
	return &account{stat.Uid, stat.Gid}, nil
}

// own gives a folder that we have just made to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// removeOwn deletes what an earlier run left at path. Another user's folder
// there is refused, since it may be a trap in a folder all may write to.
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

// reaches reports whether the account may read what is at path: each folder on
// the way must let it pass.
func (a *account) reaches(path string) bool {
	if a == nil {
		return true
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(path)
		if err != nil || !a.allowed(info) {
			return false
		}
		if path == "/" {
			return true
		}
		path = filepath.Dir(path)
	}
}

func (a *account) allowed(info os.FileInfo) bool {
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

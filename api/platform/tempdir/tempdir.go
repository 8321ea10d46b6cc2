// Package tempdir gives the process a folder of its own for temporary files,
// and removes the folders of processes that were killed.
package tempdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const pattern = "heartward-tmp-"

// Dir is this process's folder for temporary files.
type Dir struct {
	path     string
	lock     *os.File // of the folder itself; ends with the process, however that ends
	previous string   // TMPDIR before
}

// Open removes what killed processes of this user left in TMPDIR, makes a
// private folder there, and sets TMPDIR to it, so that libraries use it too.
// Call it before anything makes temporary files; Close undoes it.
func Open() (*Dir, error) {
	base := os.TempDir()
	if err := removeAbandoned(base); err != nil {
		return nil, err
	}
	for {
		path, err := os.MkdirTemp(base, pattern)
		if err != nil {
			return nil, fmt.Errorf("TMPDIR: %w", err)
		}
		lock, err := tryLock(path)
		if err != nil {
			return nil, fmt.Errorf("TMPDIR: %w", err)
		}
		if lock == nil {
			continue // another start took it for an abandoned one before it was locked
		}
		d := &Dir{path: path, lock: lock, previous: os.Getenv("TMPDIR")}
		return d, os.Setenv("TMPDIR", path)
	}
}

// Close removes the folder with what is in it, and sets TMPDIR as it was.
func (d *Dir) Close() error {
	return errors.Join(os.Setenv("TMPDIR", d.previous), os.RemoveAll(d.path), d.lock.Close())
}

func removeAbandoned(base string) error {
	found, err := filepath.Glob(filepath.Join(base, pattern+"*"))
	if err != nil {
		return err
	}
	for _, path := range found {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		lock, err := tryLock(path)
		if err != nil || lock == nil {
			continue // in use, or just removed by another process
		}
		err = os.RemoveAll(path)
		_ = lock.Close()
		if err != nil {
			return fmt.Errorf("removing the temporary files of a process that was killed: %w", err)
		}
	}
	return nil
}

// tryLock locks the folder at path. It returns nil without an error when another
// process holds the lock, or has removed the folder.
func tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil && isAt(file, path) {
		return file, nil
	}
	_ = file.Close()
	if err == nil || errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, fmt.Errorf("locking %s: %w", path, err)
}

// isAt reports whether path still names the folder that is open as file.
func isAt(file *os.File, path string) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

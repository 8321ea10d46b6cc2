// Package tempdir creates a folder for the temporary files of a process, and removes
// the folders of killed processes.
package tempdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// prefix begins the names of the folders.
const prefix = "heartward-tmp-"

// Dir is the folder for temporary files of this process.
type Dir struct {
	path     string
	lock     *os.File // of the folder; released when the process ends in any way
	previous string   // TMPDIR before
}

// Open removes the folders of killed processes of this user in TMPDIR, creates a
// private folder, and sets TMPDIR to it, so that libraries use it too. Call it before
// temporary files are created.
func Open() (*Dir, error) {
	base := os.TempDir()
	if err := removeAbandoned(base); err != nil {
		return nil, err
	}
	for {
		path, err := os.MkdirTemp(base, prefix)
		if err != nil {
			return nil, fmt.Errorf("TMPDIR: %w", err)
		}
		lock, err := tryLock(path)
		if err != nil {
			return nil, fmt.Errorf("TMPDIR: %w", err)
		}
		if lock == nil {
			continue // removed by another process before it was locked
		}
		d := &Dir{path: path, lock: lock, previous: os.Getenv("TMPDIR")}
		return d, os.Setenv("TMPDIR", path)
	}
}

// Close removes the folder and restores TMPDIR.
func (d *Dir) Close() error {
	return errors.Join(os.Setenv("TMPDIR", d.previous), os.RemoveAll(d.path), d.lock.Close())
}

// removeAbandoned removes the folders in base that belong to this user and that no process has locked.
func removeAbandoned(base string) error {
	found, err := filepath.Glob(filepath.Join(base, prefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range found {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		lock, err := tryLock(path)
		if err != nil || lock == nil {
			continue // in use, or removed by another process
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

// isAt reports whether path is still the folder that is open as file.
func isAt(file *os.File, path string) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

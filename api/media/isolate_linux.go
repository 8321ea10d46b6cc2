package media

import (
	"os"
	"syscall"
)

// isolation returns attributes with which the kernel kills the program when the thread
// that started it exits. If isolated, the program runs in an empty network namespace,
// without a loopback address, and in namespaces of processes and of memory that is shared
// between processes, so that it cannot signal the server. As the user of another user
// namespace it cannot read the server's memory and environment.
func isolation(isolated bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if isolated {
		attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

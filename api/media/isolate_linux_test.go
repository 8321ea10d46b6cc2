package media_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/media"
)

// The program runs with limits, without the server's environment and, if the kernel allows
// namespaces, without a network and without access to the server's process.
func TestFFmpeg_RunsIsolated(t *testing.T) {
	t.Setenv("SECRET", "of the server")
	path := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n[ \"$1\" = -version ] && echo ffmpeg version 0 && exit\n"+
		"env >env; ulimit -t >limits; ulimit -v >>limits; ulimit -f >>limits; nice >nice; cat /proc/net/dev >net; pwd >folder; echo \"$@\" >args\n"+
		fmt.Sprintf("echo $$ >pid; kill -0 %[1]d && echo may signal >server; cat /proc/%[1]d/environ >>server && echo may read >>server; true\n", os.Getpid())), 0o700))
	f, err := media.FindFFmpeg(t.Context(), path)
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, f.Normalise(t.Context(), folder, "in", "out", "video/webm", true))
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		return strings.TrimSpace(string(text))
	}
	for _, line := range strings.Split(read("env"), "\n") {
		name, _, _ := strings.Cut(line, "=")
		require.Contains(t, []string{"PATH", "LC_ALL", "PWD", "OLDPWD", "SHLVL", "_"}, name)
	}
	limits := strings.Fields(read("limits"))
	require.Len(t, limits, 3)
	require.NotContains(t, limits, "unlimited")
	require.NotEqual(t, "0", read("nice"))
	require.Equal(t, folder, read("folder"))
	require.Contains(t, read("args"), "-protocol_whitelist file")
	require.Contains(t, read("args"), "-f matroska -i file:in")

	probe := exec.Command("/bin/true")
	probe.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
	}
	if probe.Run() == nil {
		require.NotRegexp(t, `(?m)^\s*(eth|en|wl|docker)\w*:`, read("net"), "no network interface")
		require.Equal(t, "1", read("pid"))
		require.Empty(t, read("server"), "neither signals nor reads the server")
	}
}

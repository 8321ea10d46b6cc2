package bus

import (
	"bytes"
	"encoding/json"
	"fmt"
)

const exceptPrefix = `{"except":"`

// Event encodes a frame for sockets. When except names a socket, that one is
// left out: it knows already. Frame must encode to a JSON object with a member.
func Event(except string, frame any) []byte {
	data, err := json.Marshal(frame)
	if err != nil {
		panic(fmt.Sprintf("bus: a frame that cannot be encoded: %v", err)) // a programmer's error
	}
	if except == "" {
		return data
	}
	out := make([]byte, 0, len(exceptPrefix)+len(except)+2+len(data))
	out = append(out, exceptPrefix...)
	out = append(out, except...)
	out = append(out, `",`...)
	return append(out, data[1:]...)
}

// SplitEvent undoes Event: the socket to leave out, and the frame itself. The
// data is not changed; it may be shared with other readers.
func SplitEvent(data []byte) (except string, frame []byte) {
	rest, ok := bytes.CutPrefix(data, []byte(exceptPrefix))
	if !ok {
		return "", data
	}
	id, rest, ok := bytes.Cut(rest, []byte(`",`))
	if !ok {
		return "", data
	}
	return string(id), append([]byte{'{'}, rest...)
}

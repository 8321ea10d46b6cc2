package bus

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// except begins the line that names the socket to leave out.
const except = '!'

// Event encodes a frame for sockets. When socket is not empty, the socket of
// that id is left out: it knows already. Frame must encode to a JSON object.
func Event(socket string, frame any) []byte {
	data, err := json.Marshal(frame)
	if err != nil {
		panic(fmt.Sprintf("bus: a frame that cannot be encoded: %v", err)) // a programmer's error
	}
	return EventOf(socket, data)
}

// EventOf is Event for a frame that is encoded already.
func EventOf(socket string, frame []byte) []byte {
	if socket == "" {
		return frame
	}
	out := make([]byte, 0, len(socket)+2+len(frame))
	out = append(out, except)
	out = append(out, socket...)
	out = append(out, '\n')
	return append(out, frame...)
}

// SplitEvent undoes Event: the socket to leave out, and the frame itself, which
// is part of data and may be shared with other readers.
func SplitEvent(data []byte) (socket string, frame []byte) {
	if len(data) == 0 || data[0] != except {
		return "", data
	}
	id, frame, ok := bytes.Cut(data[1:], []byte{'\n'})
	if !ok {
		return "", data
	}
	return string(id), frame
}

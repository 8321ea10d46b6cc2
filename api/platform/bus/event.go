package bus

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// except is the first byte of an event that excludes a socket.
const except = '!'

// Event encodes a frame for sockets. The socket with the given id is excluded, if not
// empty. frame must encode to a JSON object.
func Event(socket string, frame any) []byte {
	data, err := json.Marshal(frame)
	if err != nil {
		panic(fmt.Sprintf("bus: a frame that cannot be encoded: %v", err)) // a bug
	}
	return EventOf(socket, data)
}

// EventOf is Event for an encoded frame.
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

// SplitEvent decodes an event: the excluded socket and the frame, which is a part of
// data and may be shared.
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

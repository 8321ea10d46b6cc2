package bus

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// exceptMarker is the first byte of an event that excludes a socket.
const exceptMarker = '!'

// Event encodes a frame for sockets. Unless except is empty, the socket with that id does not
// get the frame. It panics if frame cannot be encoded; frame must encode to a JSON object.
func Event(except string, frame any) []byte {
	data, err := json.Marshal(frame)
	if err != nil {
		panic(fmt.Sprintf("bus: a frame that cannot be encoded: %v", err)) // a bug
	}
	return EventOf(except, data)
}

// EventOf is Event for an encoded frame.
func EventOf(except string, frame []byte) []byte {
	if except == "" {
		return frame
	}
	out := make([]byte, 0, len(except)+2+len(frame))
	out = append(out, exceptMarker)
	out = append(out, except...)
	out = append(out, '\n')
	return append(out, frame...)
}

// SplitEvent decodes an event: the excluded socket and the frame, which is a part of
// data and may be shared.
func SplitEvent(data []byte) (except string, frame []byte) {
	if len(data) == 0 || data[0] != exceptMarker {
		return "", data
	}
	id, frame, ok := bytes.Cut(data[1:], []byte{'\n'})
	if !ok {
		return "", data
	}
	return string(id), frame
}

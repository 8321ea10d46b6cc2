package bus

import (
	"encoding/binary"
	"strings"

	"github.com/google/uuid"
)

// All events of a node have one NATS subject, so that the other nodes see every number. The
// subject for listeners is part of the event.
const (
	nodePrefix   = "node."
	subjectOfAll = nodePrefix + "*"
)

func subjectOf(node uuid.UUID) string { return nodePrefix + node.String() }

func senderOf(subject string) (uuid.UUID, error) {
	return uuid.Parse(strings.TrimPrefix(subject, nodePrefix))
}

// encodeEvent returns the number (8 bytes), the length of the subject (2
// bytes), the subject and the data.
func encodeEvent(number uint64, subject string, data []byte) []byte {
	out := make([]byte, 0, 10+len(subject)+len(data))
	out = binary.BigEndian.AppendUint64(out, number)
	out = binary.BigEndian.AppendUint16(out, uint16(len(subject)))
	out = append(out, subject...)
	return append(out, data...)
}

// decodeEvent is the inverse of encodeEvent. It reports false for a truncated event.
func decodeEvent(event []byte) (number uint64, subject string, data []byte, ok bool) {
	if len(event) < 10 {
		return 0, "", nil, false
	}
	number = binary.BigEndian.Uint64(event)
	length := int(binary.BigEndian.Uint16(event[8:]))
	if event = event[10:]; len(event) < length {
		return 0, "", nil, false
	}
	return number, string(event[:length]), event[length:], true
}

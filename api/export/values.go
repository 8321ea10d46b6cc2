package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// field is a key of a row with its value, as a page shows them.
type field struct {
	Label string
	Value value
}

// value is one of: a text, a time, a file of the archive, a list, or fields.
type value struct {
	Text   string
	Time   *time.Time
	File   *includedFile
	List   []value
	Fields []field
}

// fieldsOf returns the fields of a row in the order of the document. It omits empty fields, and ids of anything but files
// in the archive.
func (p *pageWriter) fieldsOf(row json.RawMessage) ([]field, error) {
	decoder := json.NewDecoder(bytes.NewReader(row))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var fields []field
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil, err
		}
		shown, err := p.valueOf(raw)
		if err != nil {
			return nil, err
		}
		if name, isKey := key.(string); isKey && shown != nil {
			if shown.File != nil {
				name = cmp.Or(strings.Trim(strings.TrimSuffix(name, "id"), "_"), "file")
			}
			fields = append(fields, field{labelOf(name), *shown})
		}
	}
	return fields, nil
}

// valueOf converts a JSON value, which must be valid. It returns nil for a value that a page does not show: null, an empty
// text, list or object, and an id of anything but a file in the archive.
func (p *pageWriter) valueOf(raw json.RawMessage) (*value, error) {
	switch raw[0] {
	case '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
		return p.textValue(text), nil
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
		return p.listValue(list)
	case '{':
		fields, err := p.fieldsOf(raw)
		if err != nil || len(fields) == 0 {
			return nil, err
		}
		return &value{Fields: fields}, nil
	case 'n':
		return nil, nil
	case 't':
		return &value{Text: "Yes"}, nil
	case 'f':
		return &value{Text: "No"}, nil
	default:
		return &value{Text: string(raw)}, nil
	}
}

func (p *pageWriter) textValue(text string) *value {
	if file, ok := p.files[text]; ok {
		return &value{File: &file}
	}
	if text == "" || len(text) == 36 && uuid.Validate(text) == nil {
		return nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return &value{Time: &at}
	}
	return &value{Text: text}
}

func (p *pageWriter) listValue(raw []json.RawMessage) (*value, error) {
	var list []value
	for _, item := range raw {
		shown, err := p.valueOf(item)
		if err != nil {
			return nil, err
		}
		if shown != nil {
			list = append(list, *shown)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	return &value{List: list}, nil
}

// labelOf returns "First name" for "first_name" and "Likes sent" for "likes-sent".
func labelOf(key string) string {
	label := strings.NewReplacer("_", " ", "-", " ").Replace(key)
	if label == "" {
		return label
	}
	return strings.ToUpper(label[:1]) + label[1:]
}

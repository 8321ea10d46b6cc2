package live

import (
	"encoding/json"
	"testing"

	"heartward/api/platform/fault"
)

func FuzzDecode(f *testing.F) {
	for kind := range requiredFields {
		f.Add([]byte(`{"type":"` + kind + `","userId":"0192f0c1-0000-7000-8000-000000000001","seq":1}`))
	}
	for _, seed := range []string{``, `null`, `{"type":"ping"}x`, `{"type":"\ud800"}`, `{"TYPE":"ping"}`, `{"type":"ping","seq":9e99}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in frame
		if err := decode(data, &in); err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q was accepted", data)
		}
		check, known := requiredFields[in.Type]
		if !known {
			t.Fatalf("%q: unknown type %q was accepted", data, in.Type)
		}
		if field, ok := check(in); !ok {
			t.Fatalf("%q was accepted without %s", data, field)
		}
	})
}

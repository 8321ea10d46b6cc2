package members

// FieldInfo exports a row of the table of fields for tests.
type FieldInfo struct {
	Name, Column string
	Kind         string
	Words        []string
	Min, Max     int
	Complete     bool
}

// Fields returns the table of fields.
func Fields() (all []FieldInfo) {
	kinds := map[kind]string{other: "other", line: "text", lines: "text", choice: "choice", list: "list", yesNo: "yesNo", number: "number"}
	for _, f := range fields {
		all = append(all, FieldInfo{f.name, f.column(), kinds[f.kind], f.words, f.min, f.max, f.complete})
	}
	return all
}

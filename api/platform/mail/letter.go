package mail

// Letter returns the text of a mail: text between a greeting of name and the closing that all letters have. name is empty
// for a mail to someone whose name is not known. text has no line break at its end.
func Letter(name, text string) string {
	greeting := "Hi"
	if name != "" {
		greeting += " " + name
	}
	return greeting + ",\n\n" + text + "\n\nWith love,\nHeartward\n"
}

package seed

import (
	"fmt"
	"time"
)

// The size of all portraits.
const (
	portraitWidth  = 800
	portraitHeight = 1000
)

// moods are the expressions of portraits, as their captions describe them.
var moods = map[string]string{"smile": "smiling", "calm": "at ease", "explaining": "in the middle of a story", "cute": "with a shy smile"}

// addPortraits adds the portrait name and, if there is one, the second picture, with
// descriptions. mood describes the portrait.
func (w *dataset) addPortraits(p person, name, mood string) error {
	captions := []string{
		fmt.Sprintf("A drawn portrait of %s, %s", p.first, moods[mood]),
		fmt.Sprintf("A drawn portrait of %s, closer", p.first),
	}
	for i, picture := range []string{name, name + "b"} {
		path := "portraits/" + picture
		if _, ok := w.sources[path]; !ok {
			continue
		}
		id, err := w.addMedia(p, "photo", i+1, path, captions[i], p.created.Add(time.Hour+time.Duration(i)*time.Minute))
		if err != nil {
			return err
		}
		if i == 0 {
			w.firstPhotos[p.id] = id
		}
	}
	return nil
}

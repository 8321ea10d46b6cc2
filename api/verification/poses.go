package verification

import "math/rand/v2"

// pose is a gesture that an existing photo is unlikely to show.
type pose struct{ name, instruction string }

var poses = []pose{
	{"thumb_up", "Hold one thumb up next to your cheek."},
	{"peace_sign", "Make a peace sign next to your face."},
	{"three_fingers", "Hold up three fingers beside your chin."},
	{"flat_hand_on_head", "Lay one flat hand on top of your head."},
	{"touch_ear", "Touch your right ear with your left hand."},
	{"wave", "Wave at the camera with an open hand."},
	{"finger_on_nose", "Put one finger on the tip of your nose."},
	{"hand_on_heart", "Lay one hand on your heart and look to the side."},
	{"ok_sign", "Make an OK sign with your thumb and forefinger."},
	{"chin_on_fist", "Rest your chin on your fist."},
}

// choosePose returns a random pose that differs from the previous one, which may be nil.
func choosePose(previous *string) string {
	for {
		chosen := poses[rand.IntN(len(poses))].name
		if previous == nil || chosen != *previous {
			return chosen
		}
	}
}

// instruction returns the description of a pose, or the name if it was removed from
// poses.
func instruction(name string) string {
	for _, p := range poses {
		if p.name == name {
			return p.instruction
		}
	}
	return name
}

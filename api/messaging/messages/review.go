package messages

// EnableReview makes s enqueue, in the transaction of each message, a job by which the
// external moderation classifies the text and, if pictures is set, the pictures and videos.
func (s *Service) EnableReview(pictures bool) {
	s.review, s.reviewPictures = true, pictures
}

// isReviewed reports whether the external moderation classifies the message.
func (s *Service) isReviewed(m *Stored) bool {
	return s.review && m.Content != "" || s.reviewPictures && (m.MessageType == "image" || m.MessageType == "video")
}

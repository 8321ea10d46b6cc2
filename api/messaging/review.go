package messaging

// EnableReview makes s enqueue, in the transaction of each message, a job by which the
// external moderation classifies the text and, if pictures is set, the pictures and videos.
// It returns s.
func (s *Service) EnableReview(pictures bool) *Service {
	s.review, s.reviewPictures = true, pictures
	return s
}

// isReviewed reports whether the external moderation classifies the message.
func (s *Service) isReviewed(m *Stored) bool {
	return s.review && m.Content != "" || s.reviewPictures && (m.MessageType == "image" || m.MessageType == "video")
}

package auth

import "context"

// HashPassword returns what is stored of password. For the seed and the
// command line; members set theirs by Service.SetPassword, which checks it.
func HashPassword(ctx context.Context, password string) (string, error) {
	return hashPassword(ctx, password)
}

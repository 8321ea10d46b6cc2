package auth

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"image/png"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// The codes of authenticator apps: TOTP (RFC 6238) with the parameters that all apps support.
// A code is accepted in the 30 seconds before and after its own, for clocks that differ.
const (
	appCodeSeconds = 30
	appSecretBytes = 20
	qrCodePixels   = 220
)

// appCodesPerMember limits the codes tried for one member, in all sessions together.
var appCodesPerMember = limits.Rule{Name: "app-codes", Count: 5, Per: time.Hour,
	Message: "Five codes were tried already. Please wait, or use a passkey."}

var (
	errWrongAppCode = fault.New(fault.Forbidden, "This code is wrong, or it was used already. Please wait for the next one.")
	errNoApp        = fault.New(fault.NotFound, "There is no authenticator app.")
)

// NewApp is the secret of an authenticator app that is being set up.
type NewApp struct {
	Secret string `json:"secret" doc:"To be typed into the app"`
	URL    string `json:"url" doc:"otpauth://, which opens an app on the same device"`
	QRCode string `json:"qrCode" doc:"A PNG of the URL, as a data URL"`
}

// BeginAddApp creates the secret of an admin's authenticator app, which is valid after
// ConfirmApp. An earlier app stays valid until then.
//
// Errors: those of authorizeAddFactor; Forbidden for a member who is no admin.
func (s *Service) BeginAddApp(ctx context.Context, actor web.Actor, setupCode string) (NewApp, error) {
	if !actor.Granted {
		return NewApp{}, errAdminsOnly
	}
	email, err := selectEmail(ctx, s.pool, actor.ID)
	if err != nil {
		return NewApp{}, err
	}
	raw := make([]byte, appSecretBytes)
	_, _ = rand.Read(raw) // never returns an error
	key, err := totp.Generate(totp.GenerateOpts{Issuer: "Heartward", AccountName: email, Secret: raw})
	if err != nil {
		return NewApp{}, err
	}
	picture, err := key.Image(qrCodePixels, qrCodePixels)
	if err != nil {
		return NewApp{}, err
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture); err != nil {
		return NewApp{}, err
	}
	err = pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := s.authorizeAddFactor(ctx, tx, actor, setupCode); err != nil {
			return err
		}
		return insertApp(ctx, tx, actor.ID, s.sealApp(actor.ID, raw))
	})
	return NewApp{
		Secret: key.Secret(), URL: key.URL(),
		QRCode: "data:image/png;base64," + base64.StdEncoding.EncodeToString(encoded.Bytes()),
	}, err
}

// ConfirmApp makes the app of BeginAddApp the admin's authenticator app, with a first code of
// it. The session has then proved the second factor and gets a new token.
//
// Errors: NotFound without BeginAddApp; Forbidden for a wrong code; RateLimited after five
// codes; those of authorizeAddFactor.
func (s *Service) ConfirmApp(ctx context.Context, actor web.Actor, setupCode, code string) (SignedIn, error) {
	checked, err := s.checkAppCode(ctx, actor.ID, code, newApp)
	if err != nil {
		return SignedIn{}, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (SignedIn, error) {
		if _, err := s.authorizeAddFactorOnce(ctx, tx, actor, setupCode); err != nil {
			return SignedIn{}, err
		}
		if err := checked.use(tx); err != nil {
			return SignedIn{}, err
		}
		if err := confirmApp(ctx, tx, actor.ID); err != nil {
			return SignedIn{}, err
		}
		return renewToken(ctx, tx, actor, true)
	})
}

// RemoveApp deletes the actor's authenticator app.
//
// Errors: NotFound if there is none; those of RequireProof and authorizeRemoveFactor; Conflict for
// the only second factor of an admin who needs one.
func (s *Service) RemoveApp(ctx context.Context, actor web.Actor) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.authorizeRemoveFactor(ctx, tx, actor); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `DELETE FROM authenticator_apps WHERE user_id = $1`, actor.ID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errNoApp
		}
		return s.requireRemainingFactor(ctx, tx, actor)
	})
}

// appState is which of a member's two apps is meant: the one in use, or the one that is being set up.
type appState bool

const (
	confirmedApp appState = true
	newApp       appState = false
)

// checkAppCode checks a code of the member's app: of the confirmed one, or of the one that is being
// set up. The use of the returned proof fails if the code was used, or the app was replaced, meanwhile.
//
// Errors: NotFound without such an app; Forbidden for a wrong code; RateLimited after five codes.
func (s *Service) checkAppCode(ctx context.Context, member uuid.UUID, code string, which appState) (checkedProof, error) {
	sealed, err := selectApp(ctx, s.pool, member, which)
	if errors.Is(err, pgx.ErrNoRows) {
		return checkedProof{}, errNoApp
	}
	if err != nil {
		return checkedProof{}, pg.Fault(err)
	}
	if err := limits.Allow(ctx, s.pool, appCodesPerMember, member.String()); err != nil {
		return checkedProof{}, err
	}
	secret, err := s.openApp(member, sealed)
	if err != nil {
		return checkedProof{}, err
	}
	step, err := matchingStep(secret, code, s.now())
	if err != nil {
		return checkedProof{}, err
	}
	use := func(tx pgx.Tx) error {
		used, err := useAppStep(ctx, tx, member, which, sealed, step)
		if err != nil {
			return err
		}
		if !used {
			return errWrongAppCode
		}
		return limits.Reset(ctx, tx, appCodesPerMember, member.String())
	}
	return checkedProof{isFactor: true, use: use}, nil
}

// matchingStep returns the time step (RFC 6238) of the code, or errWrongAppCode unless it is the
// current, the previous or the next one.
func matchingStep(secret []byte, code string, now time.Time) (int64, error) {
	text := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
	options := totp.ValidateOpts{Period: appCodeSeconds, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}
	current := now.Unix() / appCodeSeconds
	for step := current - 1; step <= current+1; step++ {
		expected, err := totp.GenerateCodeCustom(text, time.Unix(step*appCodeSeconds, 0), options)
		if err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare([]byte(expected), []byte(code)) == 1 {
			return step, nil
		}
	}
	return 0, errWrongAppCode
}

// appCipher returns AES-256-GCM with a key derived from the server's secret.
func (s *Service) appCipher() cipher.AEAD {
	key, err := hkdf.Key(sha256.New, s.config.Secret, nil, "heartward authenticator apps", sha256.Size)
	if err != nil {
		panic(err) // the length is fixed
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return aead
}

// sealApp encrypts a secret for the row of this member.
func (s *Service) sealApp(member uuid.UUID, secret []byte) []byte {
	return s.appCipher().Seal(nil, nil, secret, member[:])
}

// openApp decrypts the secret of this member. It fails if SECRET was changed since it was sealed.
func (s *Service) openApp(member uuid.UUID, sealed []byte) ([]byte, error) {
	return s.appCipher().Open(nil, nil, sealed, member[:])
}

func insertApp(ctx context.Context, tx pgx.Tx, member uuid.UUID, sealed []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO authenticator_apps (user_id, secret)
		VALUES ($1, $2)
		ON CONFLICT (user_id, is_confirmed) DO UPDATE SET
			secret = excluded.secret,
			last_step = 0,
			created_at = now()`, member, sealed)
	return err
}

func selectApp(ctx context.Context, db pg.DB, member uuid.UUID, which appState) (sealed []byte, err error) {
	err = db.QueryRow(ctx, `SELECT secret FROM authenticator_apps WHERE user_id = $1 AND is_confirmed = $2`, member, bool(which)).Scan(&sealed)
	return sealed, err
}

// useAppStep records the step of an accepted code, and reports whether it is later than the
// last one and the app still has the secret of the code.
func useAppStep(ctx context.Context, tx pgx.Tx, member uuid.UUID, which appState, sealed []byte, step int64) (bool, error) {
	tag, err := tx.Exec(ctx, `
		UPDATE authenticator_apps
		SET last_step = $3
		WHERE user_id = $1
			AND is_confirmed = $2
			AND last_step < $3
			AND secret = $4`, member, bool(which), step, sealed)
	return tag.RowsAffected() > 0, err
}

// confirmApp replaces the confirmed app by the unconfirmed one.
func confirmApp(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	if _, err := tx.Exec(ctx, `DELETE FROM authenticator_apps WHERE user_id = $1 AND is_confirmed`, member); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE authenticator_apps SET is_confirmed = true WHERE user_id = $1`, member)
	return err
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/config"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/jobs"
)

type adminCmd struct {
	Grant       grantCmd       `cmd:"" help:"Make a member an admin or a moderator."`
	Revoke      revokeCmd      `cmd:"" help:"Make an admin or a moderator a member again."`
	ResetFactor resetFactorCmd `cmd:"" help:"Remove the passkeys, the authenticator app and the recovery codes of an admin or a moderator who lost them."`

	SetBirthDate setBirthDateCmd `cmd:"" help:"Correct a member's birth date, which members change once and by at most a year."`

	AddressCollisions addressCollisionsCmd `cmd:"" help:"List the accounts that share a mailbox with another one, from before a mailbox had one account."`

	LiftBan liftBanCmd `cmd:"" help:"Let a former member, whose account is deleted, sign up again with a banned address."`

	// The earlier name of "audit verify", in the operators' scripts.
	VerifyAudit verifyAuditCmd `cmd:"" hidden:""`
}

type grantCmd struct {
	Email string `arg:"" help:"Address of the member's account."`
	Role  string `enum:"admin,moderator" default:"admin" help:"admin, or moderator, who decides reports and cannot ban members or change settings."`
}

// Run gives an existing member a role, which replaces another one, and ends the sessions of the account: the next one
// has the new rights, on a public site after a second factor.
func (cmd grantCmd) Run() error {
	return setRole(cmd.Email, members.Role(cmd.Role))
}

type revokeCmd struct {
	Email string `arg:"" help:"Address of the account."`
}

// Run removes the rights of an admin or a moderator, and ends the sessions of the account.
func (cmd revokeCmd) Run() error {
	return setRole(cmd.Email, members.RoleNone)
}

// changedMember is the member whom a command changed.
type changedMember struct {
	id        uuid.UUID
	before    members.Role
	setupCode string // empty if none was created
}

// setRole gives a member a role, or none, with a row in the audit log, and ends all sessions of a member whose role it
// changed. A demo member of a public site cannot get one, because the start of such a site would fail.
func setRole(email string, role members.Role) error {
	return withPool(func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error {
		inserter, err := jobs.NewInserter(pool)
		if err != nil {
			return err
		}
		changed, err := pg.Tx(ctx, pool, func(tx pgx.Tx) (changedMember, error) {
			return changeRole(ctx, tx, inserter, email, role, c.IsPublic())
		})
		if err != nil {
			return err
		}
		web.LogSecurity(ctx, web.EventRights, nil, "member", changed.id, "role", string(role))
		switch {
		case role == members.RoleAdmin:
			fmt.Println(email, "is an admin now")
		case role == members.RoleModerator:
			fmt.Println(email, "is a moderator now")
		case changed.before == members.RoleModerator:
			fmt.Println(email, "is no moderator any more")
		default:
			fmt.Println(email, "is no admin any more")
		}
		printSetupCode(c, changed.setupCode)
		return nil
	})
}

// changeRole runs in the transaction of setRole. A member without a role before and after gets a row in the audit log only.
func changeRole(ctx context.Context, tx pgx.Tx, inserter jobqueue.Inserter, email string, role members.Role, isPublicSite bool) (changed changedMember, err error) {
	change, err := members.SetRole(ctx, tx, identityKey(email), role)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return changed, fmt.Errorf("no account has the address %s; sign up first", email)
	case err != nil:
		return changed, err
	case role != members.RoleNone && change.IsDemo && isPublicSite:
		return changed, errors.New("a demo member cannot be an admin or a moderator of a site that other machines can reach")
	}
	changed.id, changed.before = change.ID, change.Before
	if role != changed.before {
		if err := auth.RevokeAllAndEnqueue(ctx, tx, inserter, changed.id); err != nil {
			return changed, err
		}
	}
	if err := applyRole(ctx, tx, inserter, changed.id, role); err != nil {
		return changed, err
	}
	action, detail := "admin.grant", map[string]any{"role": role, "before": changed.before}
	if role == members.RoleNone {
		action, detail = "admin.revoke", map[string]any{"role": changed.before}
	}
	if err := moderation.Audit(ctx, tx, uuid.Nil, action, changed.id, "on the command line", detail); err != nil {
		return changed, err
	}
	if role == members.RoleNone && changed.before == members.RoleNone {
		return changed, nil
	}
	if err := auth.NotifyAdmins(ctx, tx, inserter, auth.AdminNoticeArgs{AdminID: changed.id, Event: roleEvents[role]}); err != nil {
		return changed, err
	}
	if role != members.RoleNone && isPublicSite {
		changed.setupCode, err = auth.NewSetupCode(ctx, tx, changed.id)
	}
	return changed, err
}

// roleEvents are the events of which the other admins get a mail, by the new role.
var roleEvents = map[members.Role]auth.AdminEvent{
	members.RoleNone: auth.AdminRevoked, members.RoleAdmin: auth.AdminGranted, members.RoleModerator: auth.ModeratorGranted,
}

// applyRole does what follows from a member's new role: other admins and moderators than before get the reports about a member
// with a role, and one without has no recovery codes.
func applyRole(ctx context.Context, tx pgx.Tx, inserter jobqueue.Inserter, member uuid.UUID, role members.Role) error {
	if role == members.RoleNone {
		return auth.DeleteRecoveryCodes(ctx, tx, member)
	}
	return moderation.EnqueueStaffReports(ctx, tx, inserter, member)
}

type addressCollisionsCmd struct{}

// Run prints the accounts of the mailboxes with several, each mailbox with its oldest account first.
func (addressCollisionsCmd) Run() error {
	return withPool(func(ctx context.Context, _ config.Config, pool *pgxpool.Pool) error {
		list, err := members.Collisions(ctx, pool)
		if err != nil {
			return err
		}
		mailbox, mailboxes := "", 0
		for _, account := range list {
			if account.AbuseKey != mailbox {
				mailbox = account.AbuseKey
				mailboxes++
				fmt.Println(mailbox)
			}
			fmt.Printf("  %s  joined %s  %s  %s\n", account.ID, account.JoinedOn, account.Status, account.Email)
		}
		fmt.Printf("%d mailboxes with several accounts\n", mailboxes)
		return nil
	})
}

type liftBanCmd struct {
	Email  string `arg:"" help:"The banned address."`
	Reason string `required:"" help:"Why, for the audit log."`
}

// Run removes the bans of an address whose account is deleted.
func (cmd liftBanCmd) Run() error {
	return withPool(func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error {
		lifted, err := pg.Tx(ctx, pool, func(tx pgx.Tx) (int, error) {
			return moderation.LiftBan(ctx, tx, c.AddressSecret(), strings.TrimSpace(cmd.Email), cmd.Reason)
		})
		if err != nil {
			return err
		}
		if lifted == 0 {
			return fmt.Errorf("no deleted account with the address %s is banned; an admin reinstates an existing member on the member's page", cmd.Email)
		}
		fmt.Println(cmd.Email, "can sign up again")
		return nil
	})
}

type setBirthDateCmd struct {
	Email     string `arg:"" help:"Address of the member's account."`
	BirthDate string `arg:"" help:"The right birth date, as year-month-day."`
	Reason    string `required:"" help:"Why, for the audit log."`
}

// Run sets the birth date of a member, which ends the verification.
func (cmd setBirthDateCmd) Run() error {
	return withPool(func(ctx context.Context, _ config.Config, pool *pgxpool.Pool) error {
		err := pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
			id, err := members.OfAddress(ctx, tx, identityKey(cmd.Email))
			if err != nil {
				return err
			}
			if id == nil {
				return fmt.Errorf("no account has the address %s", cmd.Email)
			}
			if err := members.CorrectBirthDate(ctx, tx, *id, cmd.BirthDate); err != nil {
				return err
			}
			return moderation.Audit(ctx, tx, uuid.Nil, "member.birth_date", *id, cmd.Reason, nil)
		})
		if err != nil {
			return err
		}
		fmt.Println(cmd.Email, "was born on", cmd.BirthDate)
		return nil
	})
}

type resetFactorCmd struct {
	Email string `arg:"" help:"Address of the account."`
}

// Run removes the passkeys, the authenticator app and the recovery codes of an admin or a moderator and ends all their
// sessions. On a public site it prints a code for setting up others.
func (cmd resetFactorCmd) Run() error {
	return withPool(func(ctx context.Context, c config.Config, pool *pgxpool.Pool) error {
		inserter, err := jobs.NewInserter(pool)
		if err != nil {
			return err
		}
		changed, err := pg.Tx(ctx, pool, func(tx pgx.Tx) (changed changedMember, err error) {
			if changed.id, err = auth.StaffOfAddress(ctx, tx, identityKey(cmd.Email)); err != nil {
				return changed, err
			}
			if err := auth.ResetFactors(ctx, tx, inserter, changed.id); err != nil {
				return changed, err
			}
			err = moderation.Audit(ctx, tx, uuid.Nil, "admin.reset_factor", changed.id, "on the command line", nil)
			if err != nil {
				return changed, err
			}
			if err := auth.NotifyAdmins(ctx, tx, inserter, auth.AdminNoticeArgs{AdminID: changed.id, Event: auth.AdminReset}); err != nil {
				return changed, err
			}
			if c.IsPublic() {
				changed.setupCode, err = auth.NewSetupCode(ctx, tx, changed.id)
			}
			return changed, err
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("no admin and no moderator has the address %s", cmd.Email)
		}
		if err != nil {
			return err
		}
		web.LogSecurity(ctx, web.EventRights, nil, "member", changed.id, "reset", "second factor")
		fmt.Println("The passkeys, the authenticator app and the recovery codes of", cmd.Email, "were removed, and all sessions ended")
		printSetupCode(c, changed.setupCode)
		return nil
	})
}

// printSetupCode prints the code with which the admin or moderator of a public site sets up a second
// factor, unless it is empty.
func printSetupCode(c config.Config, code string) {
	if code == "" {
		return
	}
	fmt.Printf("Setup code for the second factor, valid once within 24 hours: %s\n"+
		"Give it to them in person or by phone, not by mail. They sign in at %s/admin/login\n", code, c.PublicURL)
}

// identityKey returns the key by which the account with an address is found.
func identityKey(email string) string { return mailaddr.Of(strings.TrimSpace(email)).Identity }

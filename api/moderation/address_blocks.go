package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

const (
	maxAddressBlocks = 100
	maxAddressLabel  = 60
)

// addressBlocksPerMember limits how many addresses a member can try out: if a profile disappears when an address is
// blocked, the address is that of the profile.
var addressBlocksPerMember = limits.Rule{Name: "address-blocks", Count: 20, Per: 24 * time.Hour,
	Message: "You have added twenty addresses today. Please add the others tomorrow."}

// AddressBlock is an address that the caller has blocked. Only a keyed hash of the address is stored, so the label alone
// tells the caller which address it is.
type AddressBlock struct {
	ID        uuid.UUID `json:"id"`
	Label     string    `json:"label" doc:"What the caller calls the person; only the caller sees it"`
	CreatedAt time.Time `json:"createdAt"`
}

// BlockAddress blocks the present or future member with an address, as Block does, and returns the
// entry. The same address again changes only the label. The result does not depend on whether a
// member has the address.
//
// Errors: Invalid with the field for an invalid address or label; Conflict for the 101st address;
// RateLimited after 20 in a day.
func (s *Service) BlockAddress(ctx context.Context, actor web.Actor, address, label string) (AddressBlock, error) {
	checked, err := mailaddr.Parse("email", address)
	if err != nil {
		return AddressBlock{}, err
	}
	if label, err = text.Line("label", label, maxAddressLabel); err != nil {
		return AddressBlock{}, err
	}
	if label == "" {
		return AddressBlock{}, fault.InvalidField("label", "Please add a name, so that you can tell your entries apart.")
	}
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (addressBlocked, error) { return s.blockAddress(ctx, tx, actor.ID, checked, label) })
	if err != nil {
		return AddressBlock{}, err
	}
	s.publishEnds(done.ended)
	return done.entry, nil
}

// addressBlocked is the result of the transaction of BlockAddress.
type addressBlocked struct {
	entry AddressBlock
	ended []matching.Ended
}

// blockAddress runs in the transaction of BlockAddress.
func (s *Service) blockAddress(ctx context.Context, tx pgx.Tx, actor uuid.UUID, address mailaddr.Address, label string) (done addressBlocked, err error) {
	if err := limits.Allow(ctx, tx, addressBlocksPerMember, actor.String()); err != nil {
		return done, err
	}
	if err := matching.LockActor(ctx, tx, actor); err != nil {
		return done, err
	}
	mac := s.addressMAC(blockedAddress, address.Abuse)
	if err := lockAddress(ctx, tx, mac); err != nil {
		return done, err
	}
	if done.entry, err = upsertAddressBlock(ctx, tx, actor, mac, label); err != nil {
		return done, err
	}
	found, err := members.AtMailbox(ctx, tx, address.Abuse)
	if err != nil {
		return done, err
	}
	for _, other := range found {
		if other == actor {
			continue // the actor's own address: the entry blocks nobody
		}
		end, err := s.blockByAddress(ctx, tx, actor, other, done.entry.ID)
		if err != nil {
			return done, err
		}
		done.ended = append(done.ended, end)
	}
	return done, nil
}

// UnblockAddress removes an entry with the blocks that it made. Blocks that the actor chose stay,
// and so does the end of a match. It returns NotFound for an entry that is not the actor's.
func (s *Service) UnblockAddress(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	tag, err := s.pool.Exec(ctx, `DELETE FROM address_blocks WHERE id = $1 AND blocker_id = $2`, id, actor.ID)
	if err != nil {
		return pg.Fault(err)
	}
	if tag.RowsAffected() == 0 {
		return fault.New(fault.NotFound, "We could not find that entry.")
	}
	return nil
}

// AddressBlocks returns the actor's entries, the newest first, at most maxAddressBlocks.
func (s *Service) AddressBlocks(ctx context.Context, actor web.Actor) ([]AddressBlock, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT id, label, created_at
		FROM address_blocks
		WHERE blocker_id = $1
		ORDER BY created_at DESC, id DESC`, actor.ID)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[AddressBlock])
	for i := range list {
		list[i].CreatedAt = web.Time(list[i].CreatedAt)
	}
	return list, pg.Fault(err)
}

// blockByAddress inserts the block of an entry, ends the match like Block, and enqueues the search for second accounts of blocked.
func (s *Service) blockByAddress(ctx context.Context, tx pgx.Tx, blocker, blocked, entry uuid.UUID) (matching.Ended, error) {
	if err := matching.LockPair(ctx, tx, blocker, blocked); err != nil {
		return matching.Ended{}, err
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO blocks (blocker_id, blocked_id, entry_id, created_at)
		VALUES ($1, $2, $3, clock_timestamp())
		ON CONFLICT DO NOTHING`, blocker, blocked, entry)
	if err != nil {
		return matching.Ended{}, err
	}
	if _, err := s.jobs.InsertTx(ctx, tx, CompareBlockedArgs{MemberID: blocked}, nil); err != nil {
		return matching.Ended{}, err
	}
	return matching.End(ctx, tx, blocker, blocked)
}

// upsertAddressBlock inserts an entry, or changes the label of the entry with the same address. The
// caller holds the actor's lock, so that the limit holds for concurrent calls.
func upsertAddressBlock(ctx context.Context, tx pgx.Tx, blocker uuid.UUID, mac []byte, label string) (b AddressBlock, err error) {
	rows, _ := tx.Query(ctx, `
		UPDATE address_blocks
		SET label = $3
		WHERE blocker_id = $1
			AND address_mac = $2
		RETURNING id, label, created_at`, blocker, mac, label)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[AddressBlock])
	if err != nil {
		return b, err
	}
	if len(found) == 0 {
		id, err := uuid.NewV7()
		if err != nil {
			return b, err
		}
		rows, _ = tx.Query(ctx, `
			INSERT INTO address_blocks (id, blocker_id, address_mac, label, created_at)
			SELECT $1, $2, $3, $4, clock_timestamp()
			WHERE (SELECT count(*) FROM address_blocks WHERE blocker_id = $2) < $5
			RETURNING id, label, created_at`, id, blocker, mac, label, maxAddressBlocks)
		if found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[AddressBlock]); err != nil {
			return b, err
		}
		if len(found) == 0 {
			return b, fault.New(fault.Conflict, "Your list holds a hundred addresses already. Please remove one first.")
		}
	}
	found[0].CreatedAt = web.Time(found[0].CreatedAt)
	return found[0], nil
}

// ownedEntry is an entry with the member whose list it is in.
type ownedEntry struct{ id, blocker uuid.UUID }

// selectAddressBlocksOf returns the entries with one of the HMACs of an address, in an order that avoids deadlocks.
func selectAddressBlocksOf(ctx context.Context, tx pgx.Tx, macs [][]byte) ([]ownedEntry, error) {
	rows, _ := tx.Query(ctx, `
		SELECT id, blocker_id
		FROM address_blocks
		WHERE address_mac = ANY($1)
		ORDER BY blocker_id, id
		FOR KEY SHARE`, macs) // an entry cannot be removed before its block is inserted
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (b ownedEntry, err error) {
		err = row.Scan(&b.id, &b.blocker)
		return b, err
	})
}

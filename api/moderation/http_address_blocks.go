package moderation

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

func registerAddressBlocks(api web.API, h handlers) {
	web.Post(api, web.Member, "block-address", "/api/blocks/addresses",
		"Block the present or future member with an e-mail address; the response does not tell whether a member has it", h.blockAddress, web.Status(http.StatusCreated))
	web.Get(api, web.Member, "list-address-blocks", "/api/blocks/addresses",
		"List the caller's blocked addresses, by their labels, the newest first", h.addressBlocks)
	web.Delete(api, web.Member, "unblock-address", "/api/blocks/addresses/{id}",
		"Remove a blocked address with the block that it made", h.unblockAddress)
}

type blockAddressInput struct {
	Body struct {
		Email string `json:"email" maxLength:"300" doc:"Stored only as a keyed hash"`
		Label string `json:"label" maxLength:"60" doc:"What the caller calls the person"`
	}
}

type addressBlockOutput struct{ Body AddressBlock }

func (h handlers) blockAddress(ctx context.Context, in *blockAddressInput) (*addressBlockOutput, error) {
	actor, _ := web.ActorOf(ctx)
	entry, err := h.s.BlockAddress(ctx, actor, in.Body.Email, in.Body.Label)
	return &addressBlockOutput{entry}, err
}

type addressBlocksOutput struct{ Body []AddressBlock }

func (h handlers) addressBlocks(ctx context.Context, _ *struct{}) (*addressBlocksOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.AddressBlocks(ctx, actor)
	return &addressBlocksOutput{list}, err
}

type unblockAddressInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (h handlers) unblockAddress(ctx context.Context, in *unblockAddressInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.UnblockAddress(ctx, actor, in.ID)
}

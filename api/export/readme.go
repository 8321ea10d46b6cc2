package export

// readme explains the archive.
const readme = `Your Heartward data
===================

This is what Heartward has stored about you. The .json files are text: any
editor or browser opens them. Times are in UTC.

profile/         your profile, settings, prompts, photos and recordings in their
                 order, and changes of town
files/           your photos and recordings, files you sent in messages, and
                 a selfie that waits for its check. files.json lists them, and
                 their names are their ids
conversations/   conversations.json lists your conversations and requests; each
                 has a file with its messages, named by its id
dates/           dates, links you shared, and your private feedback
matching/        likes, passes and matches
discovery/       your filters
notifications/   settings of notifications and media, your devices, and the
                 weekly digests of the last weeks
referrals/       friends you invited, and rewards
safety/          whom you blocked, your reports, your answers about messages,
                 and decisions about you
verification/    requests to verify your photos
sign-in/         devices that are signed in, passkeys, and mails about sign-ins

Other people
------------
Messages of others are here as the app shows them to you. When a conversation
has ended or is hidden, only your own messages are here. Photos and recordings
that others sent are theirs and are not included. Other people are named by
their first name, and only while the app shows them to you.

What is not here
----------------
- Passwords, codes and keys: we store them only in a form that cannot be read.
- Reports about you, and marks of our message filter on what you wrote: they
  would reveal who reported you, and how to get around our protection.
- Notes of our safety team, and the log of what admins did.
- Limits on how often something may be done, and similar counters: they are
  deleted within days.

This file can show your whole private life to anyone who has it. Keep it where
only you can read it.
`

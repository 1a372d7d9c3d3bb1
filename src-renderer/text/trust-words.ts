/** What people read about which workflows a runner executes. */

import type { TrustPolicy } from '../../src-engine/model/trust.ts'

export const policyWords: Readonly<Record<TrustPolicy, { readonly title: string; readonly hint: string }>> = {
  all: { title: 'Everything', hint: 'It executes whatever is published there.' },
  approved: { title: 'Approved only', hint: 'It executes what was approved on its own machine.' },
  signed: { title: 'Signed only', hint: 'It executes what a key signed that its machine trusts.' },
}

/** Why a runner leaves a version to others. */
export const refusalWords: Readonly<Record<TrustPolicy, string>> = {
  all: 'executes it',
  approved: 'executes only what was approved on its machine',
  signed: 'executes only what a key signed that it trusts',
}

export const trustWords = {
  lead: 'What the runners of this computer execute, and the keys that vouch. Nothing of it is on a cluster but signatures.',
  known: '{count} known',
  more: 'more than {count} known',
  noKeys: 'No key is trusted here. A runner with --trust signed executes nothing then.',
  noOwn: 'You have no key yet. With one you can sign what you push.',
  nothing: 'Nothing was approved or revoked on this computer.',
  keysTitle: 'Keys whose signatures are believed here',
  ownTitle: 'Your keys, to sign with',
  decidedTitle: 'Versions that were decided here',
  makeKey: 'Make a key',
  trustKey: 'Trust a key',
  name: 'Name',
  publicKey: 'Public key, ed25519:…',
  copy: 'Copy the public key',
  believe: 'Believe it here',
  remove: 'Remove',
  approved: 'Approved',
  revoked: 'Revoked',
  forget: 'Forget',
  title: 'No runner there trusts this version',
  refuses: '{host} {why}.',
  approveHere: 'Approve on this computer',
  approveHint: 'For runners that use this computer’s data directory. Others approve it on their own machine.',
  revokeHere: 'Revoke on this computer',
  isApproved: 'It is approved on this computer; its runners notice within seconds.',
  isRevoked: 'It is revoked on this computer.',
  signWith: 'Sign with {name}',
  sign: 'Sign with',
  unsigned: 'nobody',
  signedBy: 'Signed by {names}.',
  notSigned: 'Nobody signed it.',
  unknownKey: 'a key that this computer doesn’t know',
  byYou: '{name} (you)',
  believed: '{name} (trusted here)',
  details: 'Trust',
} as const

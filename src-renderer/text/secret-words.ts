/** What people read about secrets. */

import type { SecretKind } from '../../src-engine/model/secret.ts'

export const kindWords: Readonly<Record<SecretKind, string>> = {
  token: 'Token',
  password: 'Password',
  'api-key': 'API key',
  'private-key': 'Private key',
  connection: 'Connection string',
  other: 'Other',
}

export const providerWords = {
  'key-file': 'The vault’s key lies in a file that only you can read.',
  passphrase: 'The vault’s key comes from a passphrase.',
  'safe-storage': 'The vault’s key lies in the key store of your system.',
} as const

/** Why a binding keeps a secret from a step. */
export const secretFitWords = {
  nothing: 'Nothing may use it.',
  kinds: (kinds: string) => `Bound to ${kinds}.`,
  nodes: (nodes: string) => `Bound to ${nodes}.`,
  hosts: (hosts: string, host: string) =>
    hosts === '' ? 'No request may carry it.' : `Bound to ${hosts}; this step asks ${host}.`,
} as const

export const secretWords = {
  none: 'Nothing is in the vault yet.',
  noneHow: [
    'Add a password, a token or a key here, or with the key beside the field of a step that needs one.',
    'Steps name it: {{ secrets.NAME }}. The value comes in when the step runs, and is taken out of all that the step says.',
    'Bind it to the hosts and kinds of steps that it is for, and no other step can carry it elsewhere.',
  ],
  noHits: 'No secret fits. The filter looks at names, notes, bindings and the steps that name them.',
  missing: 'Not in the vault',
  create: 'Add it…',
  unusedMark: 'unused',
  unusedHint: 'No open document, file of the library or cluster names it.',
  callers: (name: string, wrong: string | null) =>
    `No call is believed: the secret “${name}” can’t be used. ${wrong ?? ''}`,
  fixMissing: 'to the vault…',
  fixBound: 'Change what it is bound to…',
  renameOpen: 'Open workflows are changed along, each in one step that undo takes back:',
  renameFiles: 'Not open, so they keep the old name until they are changed:',
  renamePublished: 'The newest published versions of these keep the old name for good; publish them anew:',
  renameOlder: 'Runs that are under way, and older versions, keep the old name too.',
  lead: 'Passwords and keys for steps. Workflows hold their names only; a value is never shown again.',
  value: 'The value. It goes into the vault and can’t be looked at again.',
  unchanged: 'Leave empty to keep the value',
  taken: 'Another secret has this name. Change that one, or choose another name.',
  passphrase: 'Passphrase',
  name: 'Letters, digits and underscores: GITHUB_TOKEN',
  hosts: 'Where requests may carry it: api.example.com, *.example.com. Empty: anywhere.',
  kinds: 'Kinds of steps that may use it: http-request, shell-command. Empty: any.',
  nodes: 'Workflows or steps that may use it: orders, orders/charge. Empty: any.',
  anywhere: 'any host',
  anyKind: 'any step',
  nowhere: 'nowhere',
  neverUsed: 'never',
  unused: 'No open document, file of the library or cluster names it.',
  one: 'Secret',
  named: 'These name it:',
  removeHint: 'The value is gone for good. Steps that name it fail until there is another one.',
  pick: 'Use a secret of the vault',
  pickHint: 'The step names it; the value stays in the vault.',
  keepInVault: 'Move this text into the vault',
  another: 'Another secret…',
  unlock: 'Unlock',
  choose: 'Protect with a passphrase',
  passphraseHint:
    'At least 8 characters. Nobody can open the vault without it, and nobody can tell it to you.',
} as const

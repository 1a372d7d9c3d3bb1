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

export const secretWords = {
  none: 'The vault is empty. Secrets that you add here are named by steps, and never leave it otherwise.',
  lead: 'Passwords and keys for steps. Workflows hold their names only; a value is never shown again.',
  value: 'The value. It goes into the vault and can’t be looked at again.',
  unchanged: 'Leave empty to keep the value',
  name: 'Letters, digits and underscores: GITHUB_TOKEN',
  hosts: 'Where requests may carry it: api.example.com, *.example.com. Empty: anywhere.',
  kinds: 'Kinds of steps that may use it: http-request, shell-command. Empty: any.',
  nodes: 'Workflows or steps that may use it: orders, orders/charge. Empty: any.',
  anywhere: 'any host',
  anyKind: 'any step',
  nowhere: 'nowhere',
  neverUsed: 'never',
  unused: 'No workflow of the library names it.',
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

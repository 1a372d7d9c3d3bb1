/** What people read about sealed values and their keys. */

import type { SealRing, SealView } from '../../src-engine/protocol/sealing.ts'
import { fill } from './messages.ts'

export const sealWords = {
  lead: 'Whether the store sees the values that runs work on, and the keys that open them.',
  choice: 'Values',
  plain: 'As they are',
  plainHint: 'Who runs the servers, or has a backup of them, can read what runs work on.',
  sealed: 'Sealed',
  sealedHint:
    'The servers see none of them. Every machine that works there needs the key, nobody reads them without it, and it can’t be switched off.',
  newKey: 'With a new key, kept in the vault of this computer.',
  knownKey: 'With the key {key}, which this computer has.',
  readOnly: 'The connection may only look: allow changes to have it seal.',
  isSealed: 'Sealed with the key {key}, which this computer has.',
  isPlain: 'Values lie there as they are.',
  hereTitle: 'Here',
  keysTitle: 'Keys on this computer',
  noKeys: 'This computer has no key of any workspace.',
  workspace: 'Workspace',
  thisOne: 'this one',
  key: 'Key',
  made: 'Made',
  use: 'Use',
  uses: { seals: 'Seals', prepared: 'Prepared', reads: 'Reads what it sealed' },
  begin: 'Seal from now on …',
  beginTitle: 'Seal the values of {place}?',
  beginLabel: 'Seal',
  prepare: 'Prepare a key',
  prepareHint: 'Makes the next key, to be brought to the other machines before it seals.',
  rotate: 'Seal with another key …',
  rotateTitle: 'Seal new values with another key?',
  rotateText:
    'Machines that don’t have it only read until it was brought to them. What was sealed before stays sealed with its key.',
  rotateLabel: 'Seal with it',
  forget: 'Forget …',
  forgetTitle: 'Forget the key {key}?',
  forgetText: 'What it sealed can’t be read on this computer any more.',
  forgetLabel: 'Forget',
  handTitle: 'Bring the keys to another machine',
  exportHint:
    'On this computer. The file has all keys of the workspace, protected by a passphrase that is asked for.',
  importHint:
    'On the other one; then delete the file. Whoever has lost the keys never reads the values again: keep a copy.',
  copy: 'Copy the command',
  local: 'this computer',
} as const

/** How a workspace's values lie in its store, in a sentence. */
export function sealStateWords({ key, problem }: Pick<SealView, 'key' | 'problem'>): string {
  if (problem !== null) return `${problem.message} ${problem.hint}`
  return key === null ? sealWords.isPlain : fill(sealWords.isSealed, { key })
}

/** What a key of a workspace is for: that of the store where it is known, else as this machine was told. */
export function sealUse(
  { keys, current }: Pick<SealRing, 'keys' | 'current'>,
  id: string,
): keyof typeof sealWords.uses {
  const place = keys.findIndex((one) => one.id === id)
  const seals = keys.findIndex((one) => one.id === current)
  if (place === seals) return 'seals'
  return seals !== -1 && place > seals ? 'prepared' : 'reads'
}

/** The commands that bring keys from one machine to another. */
export function handCommands(cluster: string | null): { readonly out: string; readonly in: string } {
  const place = cluster === null ? '' : ` --cluster ${cluster}`
  return {
    out: `sagasmith seal export keys.json --passphrase${place}`,
    in: 'sagasmith seal import keys.json --passphrase',
  }
}

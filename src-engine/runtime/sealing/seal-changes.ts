/** What a person can do about the keys of a workspace. */

import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { StoreId } from '../../model/ids.ts'
import type { Ids } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import type { SealFile, SealView } from '../../protocol/sealing.ts'
import type { Store } from '../../store/store.ts'
import { handedRingText, readHandedRing } from './handed-ring.ts'
import type { KeyRing, SealKey } from './key-ring.ts'
import { mergedKeyRings, newSealKey } from './key-ring.ts'
import type { SealKeys } from './seal-keys.ts'
import { loadSealMark, writeSealMark } from './seal-mark.ts'
import { keyMissing } from './seal-state.ts'

export interface SealParts {
  /** As the process works with it. */
  readonly store: Store
  readonly keys: SealKeys
  readonly now: () => Instant
  readonly ids: Ids
}

/** How things are; what keeps the vault from telling its keys is part of that. */
export async function sealView({ store, keys }: Pick<SealParts, 'store' | 'keys'>): Promise<SealView> {
  const { mark } = await loadSealMark(store)
  const known = await keys.read(store.info.id).catch((thrown: unknown) => recordOfThrown(thrown))
  const ring = known !== null && 'keys' in known ? known : null
  const missing = mark !== null && ring?.keys.some(({ id }) => id === mark.key) !== true
  const why = known !== null && 'code' in known ? known : missing ? keyMissing(mark.key) : null
  return {
    workspace: store.info.id,
    key: mark?.key ?? null,
    since: mark?.since ?? null,
    keys: (ring?.keys ?? []).map(({ id, createdAt }) => ({ id, createdAt })),
    problem: why === null ? null : { code: why.code, message: why.message, hint: why.hint },
  }
}

/** Makes a key, or takes the one that was prepared, and seals new values with it. */
export async function rotateSealKey(parts: SealParts, prepare: boolean): Promise<void> {
  const { store, keys, now, ids } = parts
  const { mark, seen } = await loadSealMark(store)
  if (mark === null) throw new SagasmithError('seal_off')
  const ring = await ringOf(parts)
  const place = ring.keys.findIndex(({ id }) => id === mark.key)
  if (place === -1) throw keyMissing(mark.key)
  const prepared: SealKey | undefined = ring.keys.slice(place + 1).at(-1)
  const next = prepared ?? newSealKey(Math.max(now(), (ring.keys.at(-1)?.createdAt ?? 0) + 1))
  const grown = prepared === undefined ? { ...ring, keys: [...ring.keys, next] } : ring
  // The key is safe before anything is sealed with it.
  await keys.write(prepare ? grown : { ...grown, current: next.id })
  if (prepare) return
  const { everywhere } = mark
  if (await writeSealMark(store, { key: next.id, seen, at: now(), ids, everywhere })) return
  throw new SagasmithError('lost_race', {
    message: 'Somebody else changed the key of the workspace at the same time.',
    hint: 'See `sagasmith seal list`, then decide again.',
  })
}

/** Forgets a key here. */
export async function removeSealKey(parts: SealParts, key: string): Promise<void> {
  const ring = await ringOf(parts)
  if (!ring.keys.some(({ id }) => id === key)) {
    throw new SagasmithError('seal_key_unknown', {
      message: `This machine has no key ${key} of the workspace.`,
      details: { key },
    })
  }
  const { mark } = await loadSealMark(parts.store)
  if ((mark?.key ?? ring.current) === key || ring.current === key) {
    throw new SagasmithError('seal_key_in_use', {
      message: `The workspace seals with the key ${key}.`,
      details: { key },
    })
  }
  await parts.keys.write({ ...ring, keys: ring.keys.filter(({ id }) => id !== key) })
}

/** The text of a file with all keys of the workspace. */
export async function exportedKeys(parts: SealParts, passphrase: string | null): Promise<string> {
  return handedRingText(await ringOf(parts), passphrase)
}

/** Takes the keys of a file's text into the vault, beside those that are there. */
export async function importKeys(
  keys: SealKeys,
  text: string,
  { passphrase }: Pick<SealFile, 'passphrase'>,
): Promise<{ readonly workspace: StoreId; readonly keys: readonly string[] }> {
  const handed = await readHandedRing(text, passphrase)
  const known = await keys.read(handed.store)
  const ring = known === null ? handed : mergedKeyRings(handed, known)
  await keys.write(ring)
  return { workspace: ring.store, keys: ring.keys.map(({ id }) => id) }
}

/** Throws `seal_key_missing`, or `seal_off` where nothing is sealed. */
async function ringOf({ store, keys }: SealParts): Promise<KeyRing> {
  const ring = await keys.read(store.info.id)
  if (ring !== null) return ring
  const { mark } = await loadSealMark(store)
  throw mark === null ? new SagasmithError('seal_off') : keyMissing(mark.key)
}

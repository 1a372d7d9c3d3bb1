/** The keys of the workspace: in the vault of the data directory, and in files that hand them on. */

import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { SealApi, SealFile } from '../../protocol/sealing.ts'
import type { SealParts } from '../../runtime/sealing/seal-changes.ts'
import {
  exportedKeys,
  importKeys,
  removeSealKey,
  rotateSealKey,
  sealView,
} from '../../runtime/sealing/seal-changes.ts'
import { createVaultSealKeys, vaultKeyRings } from '../../runtime/sealing/seal-keys.ts'
import { beginSealing } from '../../runtime/sealing/seal-state.ts'
import { fileError, writeFileAtomically } from '../atomic-file.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Only its owner may read and write. */
const ownerOnly = 0o600
/** The bits of everybody else. */
const othersBits = 0o077
/** More than any ring has. */
const fileBytesMax = 1_000_000

/** Handlers of `seal.*`. */
export function sealHandlers({
  engine,
  vault,
}: Pick<HandlerDeps, 'engine' | 'vault'>): Handlers<keyof SealApi> {
  const keys = createVaultSealKeys(vault)
  const parts = (): SealParts => ({
    store: engine.store,
    keys,
    now: () => engine.now(),
    ids: { next: randomUUID },
  })
  return {
    'seal.state': () => sealView(parts()),
    'seal.keys': async () => ({
      rings: (await vaultKeyRings(vault)).map(({ store, current, keys: all }) => ({
        workspace: store,
        current,
        keys: all.map(({ id, createdAt }) => ({ id, createdAt })),
      })),
    }),
    'seal.begin': async () => {
      const { store } = engine
      // Its engine would go on writing values as they are.
      if (store.sealing === undefined) throw new SagasmithError('seal_restart_needed')
      await beginSealing({ store, keys, clock: { now: () => engine.now() }, ids: { next: randomUUID } })
      return sealView(parts())
    },
    'seal.rotate': async ({ prepare }) => {
      await rotateSealKey(parts(), prepare)
      return sealView(parts())
    },
    'seal.export': async ({ path, passphrase }) => {
      await writeNew(path, await exportedKeys(parts(), passphrase))
      return { workspace: engine.store.info.id }
    },
    'seal.import': async (file) => importKeys(keys, await textOf(file), file),
    'seal.remove': async ({ key }) => {
      await removeSealKey(parts(), key)
      return sealView(parts())
    },
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  refuseRelative(path)
  let isNew = false
  try {
    isNew = await writeFileAtomically(path, text, { exclusive: true, mode: ownerOnly })
  } catch (cause) {
    throw fileError(path, cause)
  }
  if (isNew) return
  throw new SagasmithError('bad_request', {
    message: `There is a file ${path} already.`,
    hint: 'Choose another name: keys never take the place of something.',
    details: { path },
  })
}

async function textOf({ path, passphrase }: SealFile): Promise<string> {
  refuseRelative(path)
  try {
    const file = await open(path, 'r')
    try {
      const { mode, size } = await file.stat()
      if (size > fileBytesMax) throw new SagasmithError('seal_file_unreadable', { details: { path } })
      if (passphrase === null && process.platform !== 'win32' && (mode & othersBits) !== 0)
        throw exposed(path)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw fileError(path, cause)
  }
}

/** The engine has a working directory of its own. */
function refuseRelative(path: string): void {
  if (isAbsolute(path)) return
  throw new SagasmithError('bad_request', { message: `${path} is no absolute path.`, details: { path } })
}

const exposed = (path: string): SagasmithError =>
  new SagasmithError('vault_key_exposed', {
    message: `Others can read the keys in ${path}.`,
    hint: `Make it yours alone: chmod 600 ${path}. If somebody may have read it, seal with a new key: sagasmith seal rotate.`,
    details: { path },
  })

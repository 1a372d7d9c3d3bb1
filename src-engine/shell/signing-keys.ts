/** The private keys of people who sign definitions: a file each, which only its owner can read. */

import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SagasmithError } from '../model/errors.ts'
import { keyNamePattern } from '../model/trust.ts'
import { createSigningKey } from '../runtime/trust/signing.ts'
import { fileError, isSystemError, writeFileAtomically } from './atomic-file.ts'

export interface SigningKeys {
  /** Their names, ascending. */
  readonly list: () => Promise<readonly string[]>
  /** Makes a pair and keeps its private half; gives the public one. Throws `signing_key_exists`. */
  readonly create: (name: string) => Promise<{ readonly publicKey: string; readonly path: string }>
  /** The private key as PEM. Throws `signing_key_not_found`, `signing_key_exposed`. */
  readonly read: (name: string) => Promise<string>
}

const suffix = '.pem'
const ownerOnly = 0o600
/** The mode of a folder that nobody else looks into. */
export const folderOfOwner = 0o700
/** The bits of everybody else. */
const othersBits = 0o077

/** The keys of a folder, which is made with the first. */
export function createSigningKeys(folder: string): SigningKeys {
  const pathOf = (name: string): string => {
    if (keyNamePattern.test(name)) return join(folder, `${name}${suffix}`)
    throw new SagasmithError('bad_request', {
      message: `“${name}” is no name of a key.`,
      hint: 'Use letters, digits, dots, dashes and underscores; at most 40.',
      details: { usage: true },
    })
  }
  return {
    list: () => keyNames(folder),
    async create(name) {
      const path = pathOf(name)
      const { privateKey, publicKey } = createSigningKey()
      try {
        await mkdir(folder, { recursive: true, mode: folderOfOwner })
        if (await writeFileAtomically(path, privateKey, { exclusive: true, mode: ownerOnly })) {
          return { publicKey, path }
        }
      } catch (cause) {
        throw fileError(path, cause)
      }
      throw new SagasmithError('signing_key_exists', { details: { name, path } })
    },
    async read(name) {
      const path = pathOf(name)
      try {
        await refuseExposed(path)
        return await readFile(path, 'utf8')
      } catch (cause) {
        if (!isSystemError(cause, 'ENOENT')) throw fileError(path, cause)
        throw new SagasmithError('signing_key_not_found', {
          message: `There is no signing key “${name}”.`,
          details: { name, path },
        })
      }
    },
  }
}

async function keyNames(folder: string): Promise<readonly string[]> {
  try {
    const files = await readdir(folder)
    const names = files.flatMap((file) => (file.endsWith(suffix) ? [file.slice(0, -suffix.length)] : []))
    return names.filter((name) => keyNamePattern.test(name)).sort()
  } catch (cause) {
    if (isSystemError(cause, 'ENOENT')) return []
    throw fileError(folder, cause)
  }
}

async function refuseExposed(path: string): Promise<void> {
  // Windows keeps no such bits; the folder of the user is what protects it there.
  if (process.platform === 'win32') return
  const file = await open(path, 'r')
  try {
    const { mode } = await file.stat()
    if ((mode & othersBits) === 0) return
  } finally {
    await file.close()
  }
  throw new SagasmithError('signing_key_exposed', {
    message: `Others can read the signing key ${path}.`,
    details: { path },
  })
}

/** What the runners of this data directory trust: a file that only its owner can read and write. */

import { z } from 'zod'
import { SagasmithError } from '../model/errors.ts'
import type { DefinitionHash } from '../model/ids.ts'
import { definitionHash } from '../model/ids.ts'
import type { TrustList } from '../model/trust.ts'
import { definitionHashPattern, keyNamePattern, publicKeyPattern } from '../model/trust.ts'
import type { trustDecisions } from '../protocol/trust.ts'
import { textIfThere, writeForOwner } from './atomic-file.ts'
import { createTurns } from './in-turn.ts'

/** A key that may vouch for definitions. */
export interface TrustedKey {
  readonly name: string
  readonly key: string
}

/** What the file says. */
export interface TrustBook {
  readonly approved: readonly DefinitionHash[]
  readonly revoked: readonly DefinitionHash[]
  readonly keys: readonly TrustedKey[]
}

export interface TrustListFile {
  /** Throws `trust_list_damaged`, `file_not_accessible`. */
  readonly read: () => Promise<TrustBook>
  /** Writes what the change makes of it, and gives that. Throws what `read` throws. */
  readonly change: (make: (book: TrustBook) => TrustBook) => Promise<TrustBook>
}

const hash = z
  .string()
  .regex(definitionHashPattern)
  .transform((text) => definitionHash(text))
const bookSchema = z.object({
  version: z.literal(1),
  approved: z.array(hash),
  revoked: z.array(hash),
  keys: z.array(
    z.object({ name: z.string().regex(keyNamePattern), key: z.string().regex(publicKeyPattern) }),
  ),
})

const nothing: TrustBook = { approved: [], revoked: [], keys: [] }

/** The list in a file, which is made with the first entry. */
export function createTrustListFile(path: string): TrustListFile {
  const read = () => readBook(path)
  const inTurn = createTurns()
  return {
    read,
    change: (make) =>
      inTurn(async () => {
        const book = make(await read())
        const text = `${JSON.stringify({ version: 1, ...book }, null, 2)}\n`
        await writeForOwner(path, text)
        return book
      }),
  }
}

/** The book with definitions approved, revoked, or decided no more. Pure. */
export function decided(
  { approved, revoked, keys }: TrustBook,
  hashes: readonly DefinitionHash[],
  decision: (typeof trustDecisions)[number],
): TrustBook {
  const without = (items: readonly DefinitionHash[]) => items.filter((item) => !hashes.includes(item))
  return {
    approved: [...without(approved), ...(decision === 'approve' ? hashes : [])],
    revoked: [...without(revoked), ...(decision === 'revoke' ? hashes : [])],
    keys,
  }
}

/** The book with a key under a name, or without it. Pure. */
export function withKey(book: TrustBook, name: string, key: string | null): TrustBook {
  const others = book.keys.filter((item) => item.name !== name)
  return { ...book, keys: key === null ? others : [...others, { name, key }] }
}

/** The same as the engine asks for it. */
export const trustListOf = ({ approved, revoked, keys }: TrustBook): TrustList => ({
  approved,
  revoked,
  keys: keys.map(({ key }) => key),
})

async function readBook(path: string): Promise<TrustBook> {
  const text = await textIfThere(path)
  if (text === null) return nothing
  try {
    const { approved, revoked, keys } = bookSchema.parse(JSON.parse(text))
    return { approved, revoked, keys }
  } catch (cause) {
    throw new SagasmithError('trust_list_damaged', {
      message: `The file ${path} with what is trusted can’t be read.`,
      details: { path },
      cause,
    })
  }
}

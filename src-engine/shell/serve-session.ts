/**
 * What lets an open page go on after its engine was killed: the next `serve` on the same data directory takes
 * the port and the token of the one that never said goodbye. A clean end removes them, so every start that
 * follows one is at a new address with a new token.
 */

import { readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import { isSystemError, writeFileAtomically } from './atomic-file.ts'

const schema = z.object({
  port: z.int().min(1).max(65_535),
  // 32 random bytes in base64url.
  token: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
})

export type ServeSession = Readonly<z.infer<typeof schema>>

/** The session that was cut off; null when the last one ended cleanly, or its file can't be read. */
export async function readServeSession(path: string): Promise<ServeSession | null> {
  try {
    const parsed = schema.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.data : null
  } catch (error) {
    // Missing or damaged: a new session takes nothing from anybody but a page that has to be opened again.
    if (isSystemError(error, 'ENOENT') || error instanceof SyntaxError) return null
    throw error
  }
}

/** Keeps a session until `endServeSession`. Only the owner may read it: the token lets anybody in. */
export async function writeServeSession(path: string, session: ServeSession): Promise<void> {
  const { port, token } = session
  await writeFileAtomically(path, JSON.stringify({ port, token }), { exclusive: false, mode: 0o600 })
}

/** Forgets the session: it ended cleanly. */
export async function endServeSession(path: string): Promise<void> {
  await rm(path, { force: true })
}

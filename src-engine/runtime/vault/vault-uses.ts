/**
 * When secrets were last used. In a file of its own, and not to the second: a step must not have to wait for
 * it, processes may overwrite each other's, and losing it harms nobody.
 */

import { z } from 'zod'
import { secretUseGrainMs } from '../../model/limits.ts'
import type { Clock } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import type { VaultFiles } from './vault-file.ts'

export interface VaultUses {
  /** Instants by the ids of secrets. */
  readonly all: () => Promise<Readonly<Record<string, Instant>>>
  /** Notes a use of these, when the last note of one is old enough; returns at once. */
  readonly note: (ids: readonly string[]) => void
}

const form = z.record(z.string(), z.number())

/** Uses of the vault beside that file. */
export function createVaultUses(files: VaultFiles, clock: Clock): VaultUses {
  const noted = new Map<string, Instant>()
  let last: Promise<void> = Promise.resolve()
  const kept = async (): Promise<Readonly<Record<string, Instant>>> => {
    const text = await files.read().catch(() => null)
    try {
      const parsed = form.safeParse(JSON.parse(text ?? '{}'))
      return parsed.success ? parsed.data : {}
    } catch {
      // Half a file is as good as none.
      return {}
    }
  }
  const write = async (): Promise<void> => {
    const all = { ...(await kept()), ...Object.fromEntries(noted) }
    // A full disk keeps the instant in memory, and the next note writes it too.
    await files.write(`${JSON.stringify(all)}\n`).catch(() => undefined)
  }
  return {
    all: async () => {
      await last
      return { ...(await kept()), ...Object.fromEntries(noted) }
    },
    note: (ids) => {
      const now = clock.now()
      const due = ids.filter((id) => now - (noted.get(id) ?? -Infinity) >= secretUseGrainMs)
      if (due.length === 0) return
      for (const id of due) noted.set(id, now)
      last = last.then(write)
    },
  }
}

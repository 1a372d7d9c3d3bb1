/** Which blobs anything stored names: looked through only when there is one old enough to go. */

import { runStatuses } from '../../model/run-status.ts'
import { blobHashPattern } from '../prunable.ts'
import { keyNames, runGroup } from './layout.ts'
import type { PartitionReader } from './partition-reader.ts'

const pageSize = 200
const sideHashes = [keyNames.registers, keyNames.outbox, keyNames.letters] as const

/** Adds the hashes that one partition names. */
export async function addNamedBlobs(reader: PartitionReader, named: Set<string>): Promise<void> {
  const note = (answer: unknown): void => {
    for (const hash of JSON.stringify(answer).match(blobHashPattern) ?? []) named.add(hash)
  }
  for (const name of sideHashes) note(await reader.ask(['HGETALL', reader.keys.of(name)]))
  const groups = [runGroup('core.'), runGroup('')]
  for (const key of groups.flatMap((group) => runStatuses.map((status) => keyNames.runs(group, status)))) {
    for (let from = 0; ; from += pageSize) {
      const ids = await reader.scored(reader.keys.of(key), [from, from + pageSize - 1])
      for (const { member } of ids) {
        // Members are ids of runs.
        note(await reader.ask(['HGETALL', reader.keys.run(member as Parameters<typeof reader.keys.run>[0])]))
      }
      if (ids.length < pageSize) break
    }
  }
  await addNamedByEvents(reader, note)
}

async function addNamedByEvents(reader: PartitionReader, note: (answer: unknown) => void): Promise<void> {
  for (let start = '-'; ; ) {
    const range = ['XRANGE', reader.keys.of('events'), start, '+', 'COUNT', pageSize] as const
    const page = (await reader.ask(range)) as readonly (readonly [id: string, fields: unknown])[]
    note(page)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    start = `(${last[0]}`
  }
}

/** Workflows that a person trusted on a data directory before the test began. */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reachKey } from '../../src-engine/model/document-trust.ts'
import { reachOf } from '../../src-engine/model/reach.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'

interface Entry {
  readonly id: string
}

/** Adds it to the list of the data directory; what touches nothing needs no entry. */
export async function trustBefore(dataDirectory: string, given: object): Promise<void> {
  // Tests put other files beside workflows too.
  if (!('nodes' in given)) return
  const document = given as WorkflowDocument
  const reach = reachOf(document, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }).map(reachKey)
  if (reach.length === 0) return
  await mkdir(dataDirectory, { recursive: true })
  const path = join(dataDirectory, 'trusted-documents.json')
  const { id, title } = document
  const before = await entriesOf(path)
  const documents = [
    ...before.filter((item) => item.id !== id),
    { id, title, reason: 'looked', at: 0, reach: [...new Set(reach)] },
  ]
  await writeFile(path, JSON.stringify({ version: 1, documents }), { mode: 0o600 })
}

async function entriesOf(path: string): Promise<readonly Entry[]> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as { readonly documents: readonly Entry[] }).documents
  } catch {
    // Nobody trusted anything yet.
    return []
  }
}

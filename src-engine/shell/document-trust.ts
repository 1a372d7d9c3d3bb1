/** Which documents somebody here trusts: a file beside the workspace that only its owner can read and write. */

import { z } from 'zod'
import type { DocumentStanding, TrustedDocument } from '../model/document-trust.ts'
import { standingOf, trustedWith, trustReasons } from '../model/document-trust.ts'
import { SagasmithError } from '../model/errors.ts'
import type { WorkflowId } from '../model/ids.ts'
import { workflowId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Clock } from '../model/ports.ts'
import type { Reached } from '../model/reach.ts'
import { reachOf } from '../model/reach.ts'
import { parseDocument } from '../model/read-document.ts'
import { triedIdOf } from '../model/slice.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { WorkflowSource } from '../runtime/sub-workflows/workflow-source.ts'
import { taskSpecsByKind } from '../tasks/specs.ts'
import { triggerSpecsByKind } from '../triggers/specs.ts'
import { textIfThere, writeForOwner } from './atomic-file.ts'
import type { CustomTaskFolder } from './custom-tasks.ts'
import { createTurns } from './in-turn.ts'
import { allStarted } from './started-workflows.ts'

export interface DocumentTrust {
  /** Throws what `parseDocument` throws, `trusted_documents_damaged`. */
  readonly standing: (document: JsonObject) => Promise<DocumentStanding>
  /** Trusts the document with all that it reaches now, beside what it was trusted with. Throws as `standing`. */
  readonly trust: (document: JsonObject, reason: TrustedDocument['reason']) => Promise<DocumentStanding>
  /** The workflows of files that its steps start, through every depth; `folder`: where relative paths begin. */
  readonly started: (document: JsonObject, folder: string | null) => Promise<readonly JsonObject[]>
  /** Newest first. */
  readonly list: () => Promise<readonly TrustedDocument[]>
  /** Trusts it no more; one that nobody trusts is left as it is. */
  readonly revoke: (id: WorkflowId) => Promise<void>
}

interface TrustParts {
  /** Of the file, which is made with the first entry. */
  readonly path: string
  readonly customTasks: Pick<CustomTaskFolder, 'writeOut'>
  /** Where workflows that steps name are found. */
  readonly source: WorkflowSource
  readonly clock: Clock
}

const bookSchema = z.object({
  version: z.literal(1),
  documents: z.array(
    z.object({
      id: z.string().min(1).transform(workflowId),
      title: z.string(),
      reason: z.enum(trustReasons),
      at: z.number(),
      reach: z.array(z.string()),
    }),
  ),
})

/** The trusted documents of a data directory. One process at a time writes there. */
export function createDocumentTrust({ path, customTasks, source, clock }: TrustParts): DocumentTrust {
  const inTurn = createTurns()
  const change = (make: (all: readonly TrustedDocument[]) => readonly TrustedDocument[]): Promise<void> =>
    inTurn(async () => {
      const before = await readBook(path)
      const after = make(before)
      if (JSON.stringify(after) === JSON.stringify(before)) return
      await writeForOwner(path, `${JSON.stringify({ version: 1, documents: after }, null, 2)}\n`)
    })
  const look = async (json: JsonObject): Promise<Looked> => {
    const document = read(json)
    const written = await customTasks.writeOut(document)
    return { document, reach: reachOf(written, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }) }
  }
  const standing = async ({ document, reach }: Looked): Promise<DocumentStanding> =>
    standingOf(reach, find(await readBook(path), document.id))
  return {
    standing: async (json) => standing(await look(json)),
    trust: async (json, reason) => {
      const looked = await look(json)
      const { id, title } = looked.document
      const given = { id, title, reason, at: clock.now(), reach: looked.reach }
      await change((all) => withTrusted(all, given))
      return standing(looked)
    },
    // Documents are plain JSON data.
    started: async (json, folder) =>
      (await allStarted({ document: read(json), folder }, source)) as unknown as readonly JsonObject[],
    list: async () => [...(await readBook(path))].sort((a, b) => b.at - a.at),
    revoke: (id) => change((all) => all.filter((item) => item.id !== id)),
  }
}

function read(json: JsonObject): WorkflowDocument {
  const parsed = parseDocument(json)
  if (!parsed.ok) throw parsed.error
  return parsed.value.document
}

interface Looked {
  readonly document: WorkflowDocument
  readonly reach: readonly Reached[]
}

const find = (all: readonly TrustedDocument[], id: WorkflowId): TrustedDocument | null =>
  all.find((item) => item.id === triedIdOf(id)) ?? null

/** The one that is trusted anew takes the place of its entry; what changes nothing keeps its date. */
function withTrusted(
  all: readonly TrustedDocument[],
  given: Parameters<typeof trustedWith>[1],
): readonly TrustedDocument[] {
  const before = find(all, given.id)
  if (before !== null && standingOf(given.reach, before).status === 'trusted') return all
  return [...all.filter((item) => item !== before), trustedWith(before, given)]
}

async function readBook(path: string): Promise<readonly TrustedDocument[]> {
  const text = await textIfThere(path)
  if (text === null) return []
  try {
    return bookSchema.parse(JSON.parse(text)).documents
  } catch (cause) {
    throw new SagasmithError('trusted_documents_damaged', {
      message: `The file ${path} with the trusted workflows can’t be read.`,
      details: { path },
      cause,
    })
  }
}

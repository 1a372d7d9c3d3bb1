/** What stands in front of the methods that run a document: one that nobody here trusts is not run. */

import { SagasmithError } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Method } from '../protocol/api.ts'
import type { DocumentTrust } from './document-trust.ts'
import type { Handlers } from './handlers/contract.ts'

/** The methods that make a given document a version that runs. Rehearsals and tests answer with mocks instead. */
export const runningMethods = [
  'runs.start',
  'runs.fork',
  'runs.rerun',
  'runs.retry',
  'workflows.publish',
  'teleport.resume',
  'teleport.here',
] as const satisfies readonly Method[]

interface Running {
  /** Null for the version that the run is bound to. */
  readonly document: JsonObject | null
  readonly runId?: RunId
  readonly baseDirectory?: string | null
}

type Call = (input: Running) => Promise<unknown>

/** A document that is about to run, and the folder that its relative paths start from. */
type Decide = (document: JsonObject, folder: string | null) => Promise<void>

/**
 * Refuses documents that reach further than they are trusted with, and those that start such a one:
 * `document_not_trusted`.
 */
export function refusingRestricted(handlers: Handlers, trust: DocumentTrust): Handlers {
  return inFront(handlers, async (document, folder) => {
    await refuseRestricted(trust, document)
    for (const started of await trust.started(document, folder)) await refuseRestricted(trust, started)
  })
}

/** Whoever names a file in a command has decided to run it: that trusts what is in it, and what it starts. */
export function trustingCommands(handlers: Handlers, trust: DocumentTrust): Handlers {
  return inFront(handlers, async (document, folder) => {
    await trust.trust(document, 'looked')
    for (const started of await trust.started(document, folder)) await trust.trust(started, 'looked')
  })
}

/** Things that an error lists for programs, and names for people. */
const toldMax = 100
const namedMax = 3

async function refuseRestricted(trust: DocumentTrust, document: JsonObject): Promise<void> {
  const { status, beyond } = await trust.standing(document)
  if (status === 'trusted') return
  const { id = null, title = '' } = document
  const things = beyond.map(({ what, text }) => ({ what, text }))
  throw new SagasmithError('document_not_trusted', {
    message: `“${typeof title === 'string' ? title : ''}” is restricted: nobody here has trusted it with ${namesOf(things)}.`,
    details: { workflowId: id, beyond: things.slice(0, toldMax) },
  })
}

function inFront(handlers: Handlers, decide: Decide): Handlers {
  const guarded = runningMethods.map((method): readonly [Method, Call] => [
    method,
    async (input) => {
      const document = input.document ?? (await broughtAlong(handlers, method, input))
      if (document !== null) await decide(document, input.baseDirectory ?? null)
      // The same method with the same input.
      return (handlers[method] as unknown as Call)(input)
    },
  ])
  return { ...handlers, ...Object.fromEntries(guarded) }
}

/** The version of a run that comes from elsewhere; null where the run began here, or goes on where it came from. */
async function broughtAlong(
  handlers: Handlers,
  method: Method,
  { runId }: Running,
): Promise<JsonObject | null> {
  if (method !== 'teleport.here' || runId === undefined) return null
  const { run } = await handlers['runs.get']({ runId })
  if (run === null) return null
  return (await handlers['workflows.version']({ hash: run.definitionHash })).document
}

function namesOf(things: readonly { readonly text: string }[]): string {
  const named = things.slice(0, namedMax).map(({ text }) => text)
  const more = things.length - named.length
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`
}

/** What stands in front of the methods that run a document: one that nobody here trusts is not run. */

import { SagasmithError } from '../model/errors.ts'
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

type Call = (input: { readonly document: JsonObject | null }) => Promise<unknown>

/** Refuses documents that reach further than they are trusted with: `document_not_trusted`. */
export function refusingRestricted(handlers: Handlers, trust: DocumentTrust): Handlers {
  return inFront(handlers, async (document) => {
    const { status, beyond } = await trust.standing(document)
    if (status === 'trusted') return
    const things = beyond.map(({ what, text }) => ({ what, text }))
    throw new SagasmithError('document_not_trusted', {
      message: `“${titleOf(document)}” is restricted: nobody here has trusted it with ${namesOf(things)}.`,
      details: { beyond: things.slice(0, toldMax) },
    })
  })
}

/** Whoever names a file in a command has decided to run it: that trusts what is in it. */
export function trustingCommands(handlers: Handlers, trust: DocumentTrust): Handlers {
  return inFront(handlers, async (document) => void (await trust.trust(document, 'looked')))
}

/** Things that an error lists for programs, and names for people. */
const toldMax = 100
const namedMax = 3

function inFront(handlers: Handlers, decide: (document: JsonObject) => Promise<void>): Handlers {
  const guarded = runningMethods.map((method): readonly [Method, Call] => [
    method,
    async (input) => {
      if (input.document !== null) await decide(input.document)
      // The same method with the same input.
      return (handlers[method] as unknown as Call)(input)
    },
  ])
  return { ...handlers, ...Object.fromEntries(guarded) }
}

function namesOf(things: readonly { readonly text: string }[]): string {
  const named = things.slice(0, namedMax).map(({ text }) => text)
  const more = things.length - named.length
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`
}

const titleOf = ({ title }: JsonObject): string => (typeof title === 'string' ? title : 'The workflow')

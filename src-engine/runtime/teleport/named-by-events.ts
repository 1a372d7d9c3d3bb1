/** What a run's events name and don't hold: payloads that lie beside them, and versions. */

import type { EngineEvent } from '../../model/event.ts'
import type { BlobHash, DefinitionHash } from '../../model/ids.ts'
import { blobHash } from '../../model/ids.ts'

/** Adds what the events name, wherever in them it stands. */
export function addNamedPayloads(events: readonly EngineEvent[], to: Set<BlobHash>): void {
  for (const { body } of events) addFrom(body, to)
}

/** Adds the versions that the run was bound to, one after the other. */
export function addNamedVersions(events: readonly EngineEvent[], to: Set<DefinitionHash>): void {
  for (const { body } of events) {
    if (body.type === 'run.created') to.add(body.run.definitionHash)
    else if (body.type === 'run.changed' && body.set.definitionHash !== undefined)
      to.add(body.set.definitionHash)
  }
}

function addFrom(value: unknown, to: Set<BlobHash>): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) addFrom(item, to)
    return
  }
  if ('fleeting' in value) return
  const hash = blobOf(value as Readonly<Record<string, unknown>>)
  if (hash !== null) to.add(hash)
  else for (const item of Object.values(value)) addFrom(item, to)
}

/** An inline payload is a text: nothing in it is looked at. What goes when its run is over goes nowhere else. */
function blobOf(value: Readonly<Record<string, unknown>>): BlobHash | null {
  const name = value['kind'] === 'blob' ? value['hash'] : value['kind'] === 'sealed' ? value['blob'] : null
  return typeof name === 'string' ? blobHash(name) : null
}
